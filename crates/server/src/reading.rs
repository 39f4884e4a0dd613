//! Where in what was sent a mistake is.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Nothing that is read has as many fields. Each is tried with all before it, so what has more would cost
/// whoever sends it little and the house much.
const MOST_FIELDS: usize = 16;

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
