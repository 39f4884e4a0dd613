//! A page is read, pressed, clicked and dragged over, and its errors are heard.

use houseway_browser::Browser;

const PAGE: &str = "data:text/html,<title>t</title><button id=b onclick='this.textContent=%22done%22'>\
    do</button><input id=i><div id=d style='position:absolute;top:200px;width:50px;height:50px'></div>\
    <script>window.moves=0;d.onpointermove=()=>moves++;d.onpointerup=()=>window.up=true</script>";

#[tokio::test]
async fn a_page_is_driven() {
    let browser = Browser::launch().await.expect("a browser");
    let page = browser.page(PAGE, 640, 480).await.expect("a page");
    page.wait("document.title === 't'").await.expect("it loads");
    page.click("#b").await.expect("a click");
    page.wait("b.textContent === 'done'").await.expect("it was clicked");
    page.eval("i.focus()").await.expect("a focus");
    page.press("a").await.expect("a key");
    page.type_text("bc").await.expect("a text");
    page.wait("i.value === 'abc'").await.expect("it was typed");
    page.drag((10.0, 210.0), (40.0, 240.0)).await.expect("a drag");
    page.wait("window.up && moves > 2").await.expect("it was dragged");
    let tree = page.tree().await.expect("a tree");
    assert!(tree.contains(&("button".into(), "done".into())), "{tree:?}");
    assert!(page.screenshot().await.expect("a picture").len() > 100);
    assert_eq!(page.problems(), Vec::<String>::new());
    page.eval("setTimeout(() => { throw new Error('oh') })").await.expect("a script");
    page.wait("true").await.expect("it goes on");
    let error = page.eval("nobody.home").await.expect_err("there is no such thing");
    assert!(error.to_string().contains("nobody is not defined"), "{error}");
    let other = browser.page(PAGE, 640, 480).await.expect("a second page");
    other.wait("b.textContent.trim() === 'do'").await.expect("a page of its own");
    assert!(page.problems().concat().contains("oh"), "{:?}", page.problems());
}
