#!/usr/bin/env python3
"""Checks proofs of Houseway deals: verify.py [--commitment HEX] proof.json ...

Written from docs/fairness.md alone. Ends with 1 if a proof does not hold. A proof means something
if its commitment is the one that you saw before the first wager."""
import hashlib, hmac, json, re, struct, sys
FORM = "houseway-fair/1"
no_sign = lambda digits: None if digits[0] == "-" else int(digits)
CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"] + ["Jk"]

def need(holds, why):
    if not holds:
        raise ValueError(why)

def listed(purpose, parts):
    parts = [f"{FORM}/{purpose}".encode(), *parts]
    return b"".join(len(part).to_bytes(8, "big") + part for part in parts)

def sha(purpose, *parts):
    return hashlib.sha256(listed(purpose, parts)).digest()

def derive(key, purpose, *parts):
    return hmac.new(key, listed(purpose, parts), hashlib.sha256).digest()

def chacha20(key):  # the key stream of RFC 8439 with nonce 0, from block 0 on, byte by byte
    start = struct.unpack("<12I", b"expand 32-byte k" + key)
    quarters = [(0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15)]  # columns
    quarters += [(0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)]  # diagonals
    for counter in range(1 << 32):
        before = [*start, counter, 0, 0, 0]
        x = before[:]
        for a, b, c, d in quarters * 10:
            for to, other, mixed, left in (a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7):
                x[to] = x[to] + x[other] & 0xFFFFFFFF
                word = x[mixed] ^ x[to]
                x[mixed] = (word << left | word >> 32 - left) & 0xFFFFFFFF
        yield from struct.pack("<16I", *(one + two & 0xFFFFFFFF for one, two in zip(x, before)))

def draw(stream, choices):
    return next(byte for byte in stream if byte < 256 - 256 % choices) % choices

def fields(value, where, wanted, optional=()):
    need(type(value) is dict, f"{where}: not an object")
    for name in {*wanted, *value}:
        need(value.get(name) is not None, f"{where}: {name} is missing")
        need(name in wanted or name in optional, f"{where}: {name} is unknown")
    return [value.get(name) for name in [*wanted, *optional]]

def whole(value, low, high, where):
    need(type(value) is int and low <= value <= high, f"{where}: not from {low} to {high}")
    return value

def bytes32(value, where):
    need(type(value) is str and re.fullmatch("[0-9a-f]{64}", value), f"{where}: not 64 hex digits")
    return bytes.fromhex(value)

def hash_of_words(entries, table, rounds):
    need(type(entries) is list, "words: not a list")
    parts, last = [], -1
    for entry in entries:
        person, words = fields(entry, "words", ["person", "words"])
        last = whole(person, last + 1, 2**32 - 1, "words: person")
        need(type(words) is str and 1 <= len(words.encode()) <= 256, "words: not 1 to 256 bytes")
        parts += [person.to_bytes(4, "big"), words.encode()]
    return lambda block: sha("cut", table, rounds, block.to_bytes(4, "big"), *parts)

def root_of(index, value, salt, path, where):
    need(type(path) is list and len(path) == 6, f"{where}: not six hashes")
    node = sha("leaf", bytes([index]), bytes32(salt, where), value)
    for height, other in enumerate(bytes32(other, where) for other in path):
        node = sha("node", other, node) if index >> height & 1 else sha("node", node, other)
    return node

def from_seed(seed, table, rounds, highest):
    stream, deck = chacha20(derive(seed, "shuffle-key", table, rounds)), CARDS[:]
    for last in range(52, 0, -1):
        other = draw(stream, last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    number = draw(stream, highest) + 1
    salts = [derive(seed, "salt", table, rounds, bytes([leaf])) for leaf in range(54)]
    values = [*(card.encode() for card in deck), bytes([number])]
    row = [sha("leaf", bytes([leaf]), salts[leaf], values[leaf]) for leaf in range(54)]
    row += [bytes(32)] * 10
    while len(row) > 1:
        row = [sha("node", *row[at : at + 2]) for at in range(0, len(row), 2)]
    return deck, number, row[0]

def verify(proof, published=None):
    names = ["form", "deal", "commitment", "words", "cut", "evidence"]
    form, deal, commitment, words, cut, evidence, number = fields(proof, "proof", names, ["number"])
    table, round_number, highest = fields(deal, "deal", ["table", "round", "highest"])
    need(form == FORM and type(table) is str, f"not a deal of {FORM}")
    table, highest = table.encode(), whole(highest, 1, 255, "highest")
    rounds = whole(round_number, 0, 2**64 - 1, "round").to_bytes(8, "big")
    need(published in (None, commitment), "commitment: not the one that was published")
    commitment = bytes32(commitment, "commitment")
    binds = lambda root: sha("commitment", table, rounds, bytes([highest]), root) == commitment
    places, digest = fields(cut, "cut", ["places", "digest"])
    block = hash_of_words(words, table, rounds)
    stream = (byte for count in range(1 << 32) for byte in block(count))
    by_words, shift = (draw(stream, 53), draw(stream, highest)) if words else (0, 0)
    need(bytes32(digest, "digest") == block(0), "digest: the words have another hash")
    need(whole(places, 0, 52, "cut") == by_words, f"cut: the words give {by_words}")
    cards, drawn = {}, None
    opened, seed = fields(evidence, "evidence", [], ["opened", "seed"])
    need(len(evidence) == 1, "evidence: neither opened nor seed, or both")
    if "seed" in evidence:
        deck, drawn, root = from_seed(bytes32(seed, "seed"), table, rounds, highest)
        need(binds(root), "seed: gives another commitment")
        cards = dict(enumerate(deck[places:] + deck[:places]))
    else:
        openings, number_opening = fields(opened, "opened", ["cards"], ["number"])
        need(type(openings) is list, "cards: not a list")
        for opening in openings:
            place, card, *rest = fields(opening, "card", ["place", "card", "salt", "path"])
            where = f"place {whole(place, max(cards, default=-1) + 1, 52, 'place')}"
            need(card in CARDS and card not in cards.values(), f"{where}: no card, or there twice")
            root = root_of((place + places) % 53, card.encode(), *rest, where)
            need(binds(root), f"{where}: {card} does not lead to the commitment")
            cards[place] = card
        if "number" in opened:
            drawn, *rest = fields(number_opening, "number", ["committed", "salt", "path"])
            root = root_of(53, bytes([whole(drawn, 1, highest, "committed")]), *rest, "number")
            need(binds(root), f"number: {drawn} does not lead to the commitment")
        need(cards or drawn, "evidence: opens nothing")
    gives = None if drawn is None else (drawn - 1 + shift) % highest + 1
    need((type(number), number) == (type(gives), gives), f"number: what is opened gives {gives}")
    return cards, gives

def once(pairs):
    need(len(dict(pairs)) == len(pairs), "a field is there twice")
    return dict(pairs)

def main(arguments):
    published, failed = (arguments[1] if arguments[:1] == ["--commitment"] else None), False
    for path in arguments[2 if published else 0 :]:
        try:
            with open(path, encoding="utf-8") as file:
                proof = json.load(file, object_pairs_hook=once, parse_int=no_sign)
            cards, number = verify(proof, published)
            shown = " ".join(f"{at}={cards[at]}" for at in cards) or "no card"
            print(f"{path}: proved; number {number}; {shown}")
        except (ValueError, RecursionError, OSError) as why:
            failed = True
            print(f"{path}: NOT proved; {why}")
    return failed

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
