//! The stylesheets: all of them are loaded at once, so each class belongs to one of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What stands in a stylesheet without its comments.
fn without_comments(css: &str) -> String {
    let mut kept = String::new();
    let mut rest = css;
    while let Some((before, after)) = rest.split_once("/*") {
        kept.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    kept.push_str(rest);
    kept
}

/// The selectors that stand by themselves: not those nested in another rule, but those within `@media`.
fn outer_selectors(css: &str) -> Vec<String> {
    let mut selectors = Vec::new();
    let mut text = String::new();
    // Whether each open block is that of a condition, whose rules still stand by themselves.
    let mut open: Vec<bool> = Vec::new();
    for letter in without_comments(css).chars() {
        match letter {
            '{' => {
                let head = text.trim().to_owned();
                let condition = head.starts_with("@media");
                if open.iter().all(|&outer| outer) && !head.starts_with('@') {
                    selectors.push(head);
                }
                open.push(condition);
                text.clear();
            }
            '}' => {
                open.pop();
                text.clear();
            }
            ';' => text.clear(),
            _ => text.push(letter),
        }
    }
    assert!(open.is_empty(), "a block is never closed");
    selectors
}

/// The classes of the first compound of each selector of a list: of `a.b .c, .d > e` they are `b` and `d`.
fn first_classes(list: &str) -> BTreeSet<String> {
    list.split(',')
        .filter_map(|selector| selector.trim().split([' ', '>', '+', '~', ':', '[']).next())
        .flat_map(|compound| compound.split('.').skip(1))
        .map(str::to_owned)
        .collect()
}

#[test]
fn what_a_selector_begins_with_is_found() {
    let css = "/* .a { } */ .b, p.c > .d { color: red; .e { } } @media (x) { .f:hover .g { } } @keyframes h { from { } }";
    let selectors = outer_selectors(css);
    assert_eq!(selectors, [".b, p.c > .d", ".f:hover .g"]);
    let classes: BTreeSet<_> = selectors.iter().flat_map(|list| first_classes(list)).collect();
    assert_eq!(classes, ["b", "c", "f"].map(str::to_owned).into());
}

#[test]
fn no_class_is_styled_by_two_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/style");
    let mut owners: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for entry in std::fs::read_dir(&folder).expect("the styles are there") {
        let path = entry.expect("an entry can be read").path();
        let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
        let css = std::fs::read_to_string(&path).expect("a stylesheet can be read");
        for class in outer_selectors(&css).iter().flat_map(|list| first_classes(list)) {
            owners.entry(class).or_default().insert(name.clone());
        }
    }
    assert!(owners.len() > 50, "the stylesheets were read");
    owners.retain(|_, files| files.len() > 1);
    assert!(owners.is_empty(), "styled by more than one file: {owners:#?}");
}
