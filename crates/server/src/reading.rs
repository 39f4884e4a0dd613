//! Where in what was sent a mistake is.

use std::fmt::Write as _;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Nothing that is read has as many fields. Each is tried with all before it, so what has more would cost
/// whoever sends it little and the house much.
const MOST_FIELDS: usize = 16;

/// The fields that are lists, in all that is read.
const LISTS: [&str; 7] = ["cards", "deck", "hands", "high", "lay", "low", "swap"];

/// What is wrong with a list in the place of something else.
pub(crate) const NO_LIST: &str = "a list is not what belongs here: fields have names";

/// Where there is a list and none should be: nothing before the first name is the whole.
///
/// Readers take a list for whatever has as many fields, in their order. The published forms do not, and
/// whoever sends one may have other fields in mind than are read.
pub(crate) fn list_out_of_place(text: &[u8]) -> Option<String> {
    text.contains(&b'[').then_some(())?;
    let sent: Value = serde_json::from_slice(text).ok()?;
    path_to_list(&sent, false).map(|path| path.trim_start_matches('.').to_owned())
}

fn path_to_list(sent: &Value, may_be: bool) -> Option<String> {
    let below = |name: &str, value: &Value| {
        let path = path_to_list(value, LISTS.contains(&name))?;
        Some(format!(".{name}{path}"))
    };
    match sent {
        Value::Array(_) if !may_be => Some(String::new()),
        Value::Array(all) => all.iter().enumerate().find_map(|(place, it)| {
            let mut path = format!("[{place}]");
            write!(path, "{}", path_to_list(it, false)?).expect("a string takes all");
            Some(path)
        }),
        Value::Object(fields) => fields.iter().find_map(|(name, value)| below(name, value)),
        _ => None,
    }
}

/// The field that keeps something from being read, where one does. `tag` names the field that says what
/// it is.
///
/// A form that is chosen by a tag is read as a whole and does not tell where its reader stopped. Read with
/// one field more each time, it lacks something until the wrong one comes.
pub(crate) fn wrong_field<T: DeserializeOwned>(sent: &Value, tag: &str) -> Option<String> {
    let fields = sent.as_object().filter(|fields| fields.len() <= MOST_FIELDS)?;
    let mut some: Map<String, Value> = Map::new();
    some.extend(fields.get_key_value(tag).map(|(name, value)| (name.clone(), value.clone())));
    let mut is_wrong = |name: &String, value: &Value| {
        some.insert(name.clone(), value.clone());
        let read = serde_json::from_value::<T>(Value::Object(some.clone()));
        read.is_err_and(|error| !error.to_string().starts_with("missing field"))
    };
    let wrong = fields.iter().find(|(name, value)| is_wrong(name, value));
    wrong.map(|(name, _)| name.clone())
}

#[cfg(test)]
mod tests {
    use houseway_table::Action;
    use serde_json::json;

    use super::*;

    /// The names of lists in a form, wherever its references lead.
    fn lists<'a>(
        whole: &'a Value,
        form: &'a Value,
        name: &'a str,
        seen: &mut Vec<&'a str>,
    ) -> Vec<&'a str> {
        let mut found = vec![];
        let is_list = |it: &Value| {
            it == "array" || it.as_array().is_some_and(|it| it.contains(&json!("array")))
        };
        if is_list(&form["type"]) {
            found.push(name);
        }
        if let Some(place) = form["$ref"].as_str().filter(|it| !seen.contains(it)) {
            seen.push(place);
            let at = whole.pointer(&place[1..]).expect("it leads somewhere");
            found.extend(lists(whole, at, name, seen));
            seen.pop();
        }
        for kinds in ["anyOf", "oneOf", "allOf"] {
            let kinds = form[kinds].as_array().into_iter().flatten();
            found.extend(kinds.flat_map(|it| lists(whole, it, name, &mut seen.clone())));
        }
        let fields = form["properties"].as_object().into_iter().flatten();
        found.extend(fields.flat_map(|(name, it)| lists(whole, it, name, &mut seen.clone())));
        found
    }

    #[test]
    fn lists_are_where_the_published_form_has_them() {
        let whole = crate::protocol::schema();
        let mut found = lists(&whole, &whole["from-client"], "", &mut vec![]);
        found.sort_unstable();
        found.dedup();
        assert_eq!(found, ["deck", "lay", "low", "swap"]);
        assert!(found.iter().all(|it| LISTS.contains(it)));
        let place = |text: &str| list_out_of_place(text.as_bytes());
        assert_eq!(place(r#"{"cards":["As","Kd"],"why":"[no]"}"#), None);
        assert_eq!(place(r#"["x"]"#).as_deref(), Some(""));
        assert_eq!(place(r#"{"command":["sit",1]}"#).as_deref(), Some("command"));
        assert_eq!(place(r#"{"cards":["As",["Kd"]]}"#).as_deref(), Some("cards[1]"));
        assert_eq!(place(r#"{"hands":[{"low":["As"],"x":[]}]}"#).as_deref(), Some("hands[0].x"));
        assert_eq!(place("[[["), None, "what is no JSON is not looked through");
    }

    #[test]
    fn the_field_is_named() {
        let wrong = |sent: Value| wrong_field::<Action>(&sent, "do");
        let place = |position: Value, amount: Value| json!({"do": "place", "position": position, "wager": "standard", "amount": amount});
        assert_eq!(wrong(place(json!(1), json!(100))), None);
        assert_eq!(wrong(place(json!(256), json!(100))).as_deref(), Some("position"));
        assert_eq!(wrong(place(json!(1), json!(-100))).as_deref(), Some("amount"));
        assert_eq!(wrong(json!({"do": "sit"})), None, "what lacks is named by the reader");
        assert_eq!(wrong(json!({"do": "fly", "position": 1})).as_deref(), Some("do"));
        assert_eq!(wrong(json!([1])), None);
    }

    #[test]
    fn what_has_very_many_fields_is_not_looked_through() {
        let mut sent = json!({"do": "place", "position": 256, "wager": "standard", "amount": 100});
        for number in 0..MOST_FIELDS {
            assert_eq!(wrong_field::<Action>(&sent, "do").is_some(), number <= MOST_FIELDS - 4);
            sent[format!("x{number}")] = json!(null);
        }
    }
}
