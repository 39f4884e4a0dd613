//! JSON Schemas of the text forms: exactly what their readers take.

use alloc::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::bonus::BonusHand;
use crate::card::Card;
use crate::cards::CardSet;
use crate::money::Cents;

impl JsonSchema for Card {
    fn schema_name() -> Cow<'static, str> {
        "Card".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "Rank and suit, such as Ah, Td or 2c; the joker is Jk.",
            "type": "string",
            "pattern": "^((10|[2-9TtJjQqKkAa])[CcDdHhSs♣♦♥♠♧♢♡♤]\u{fe0f}*|@|[Jj][Kk]|[Jj][Oo][Kk][Ee][Rr])$",
            "examples": ["Ah", "Td", "Jk"],
        })
    }
}

impl JsonSchema for CardSet {
    fn schema_name() -> Cow<'static, str> {
        "Cards".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "Cards, none twice.",
            "type": "array",
            "items": generator.subschema_for::<Card>(),
            "uniqueItems": true,
        })
    }
}

impl JsonSchema for Cents {
    fn schema_name() -> Cow<'static, str> {
        "Cents".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "Whole cents; or an amount as it is printed, such as \"$25\".",
            "anyOf": [
                { "type": "integer", "minimum": 0, "maximum": u64::MAX },
                { "type": "string", "pattern": "^\\$([0-9]+|[0-9]{1,3}(,[0-9]{3})+)(\\.[0-9]{2})?$" },
            ],
            "examples": ["$25", 2500],
        })
    }
}

impl JsonSchema for BonusHand {
    fn schema_name() -> Cow<'static, str> {
        "BonusHand".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names = BonusHand::ALL.map(BonusHand::id);
        json_schema!({
            "description": "A hand that the Fortune Bonus pays.",
            "type": "string",
            "enum": names,
        })
    }
}
