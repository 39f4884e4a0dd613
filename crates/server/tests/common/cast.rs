//! Everyone a request can come from.

use serde_json::{Value, json};
use uuid::Uuid;

use super::OpenHouse;
use super::http::done;

/// A password that anyone may have here.
pub(crate) const PASSWORD: &str = "correct horse battery staple";

/// What an account can be, lowest first.
pub(crate) const STANDINGS: [&str; 6] =
    ["player", "dealer", "pit-supervisor", "pit-manager", "gaming-shift-manager", "operator"];

/// Someone who has come in.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) person: u32,
    pub(crate) name: String,
    pub(crate) token: String,
}

impl Known {
    fn read(come: &Value) -> Known {
        let person = come["you"]["person"].as_u64().expect("a number");
        Known {
            person: u32::try_from(person).expect("a small number"),
            name: come["you"]["name"].as_str().expect("a name").to_string(),
            token: come["token"].as_str().expect("a token").to_string(),
        }
    }
}

/// A name that nobody has.
pub(crate) fn fresh_name() -> String {
    format!("p{}", &Uuid::new_v4().simple().to_string()[..12])
}

/// A guest.
pub(crate) fn guest(house: &OpenHouse) -> Known {
    Known::read(&done("POST", &format!("{}/api/guest", house.url), None, &Value::Null))
}

/// Someone with an account.
pub(crate) fn registered(house: &OpenHouse) -> Known {
    let credentials = json!({"name": fresh_name(), "password": PASSWORD});
    Known::read(&done("POST", &format!("{}/api/register", house.url), None, &credentials))
}

/// Someone who runs the house.
pub(crate) async fn operator(house: &OpenHouse) -> Known {
    let name = fresh_name();
    house.serving.app.people.make_operator(&name, PASSWORD).await.expect("an operator");
    let credentials = json!({"name": name, "password": PASSWORD});
    Known::read(&done("POST", &format!("{}/api/login", house.url), None, &credentials))
}

/// Someone with an account and that standing, by the word of operators: the highest take two.
pub(crate) async fn staff(house: &OpenHouse, first: &Known, standing: &str) -> Known {
    let known = registered(house);
    let body = json!({"standing": standing, "why": "for a test"});
    on(house, first, &known, "standing", &body);
    if standing == "gaming-shift-manager" {
        on(house, &operator(house).await, &known, "standing", &body);
    }
    known
}

/// Does something to an account.
pub(crate) fn on(house: &OpenHouse, operator: &Known, who: &Known, what: &str, body: &Value) {
    let url = format!("{}/api/people/{}/{what}", house.url, who.person);
    done("POST", &url, Some(&operator.token), body);
}
