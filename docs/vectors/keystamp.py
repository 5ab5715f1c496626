"""Reads what Keystamp writes: partition keys, ids and effective partition keys, from a key plan and a record.

Plain Python 3, no packages. It is written to be read and translated, not to be fast.

    python3 keystamp.py                         checks itself against the vectors beside it
    python3 keystamp.py plan.json record.json   prints the key values, the id and the effective partition key
"""

import json
import re
import struct
import sys
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path

MASK32 = 0xFFFFFFFF
MASK64 = 0xFFFFFFFFFFFFFFFF

# --- hashes ---------------------------------------------------------------------------------------------------------


def murmur32(data):
    """MurmurHash3 x86-32, seed 0."""
    h = 0
    whole = len(data) // 4 * 4
    for at in range(0, whole, 4):
        h = rotate32(h ^ scramble32(int.from_bytes(data[at : at + 4], "little")), 13)
        h = (h * 5 + 0xE6546B64) & MASK32
    h ^= scramble32(int.from_bytes(data[whole:], "little"))
    h ^= len(data)
    h = ((h ^ h >> 16) * 0x85EBCA6B) & MASK32
    h = ((h ^ h >> 13) * 0xC2B2AE35) & MASK32
    return h ^ h >> 16


def scramble32(k):
    return (rotate32(k * 0xCC9E2D51 & MASK32, 15) * 0x1B873593) & MASK32


def rotate32(x, by):
    return (x << by | x >> (32 - by)) & MASK32


def murmur128(data):
    """MurmurHash3 x64-128, seed 0: (h1, h2)."""
    h1 = h2 = 0
    whole = len(data) // 16 * 16
    for at in range(0, whole, 16):
        k1, k2 = struct.unpack_from("<QQ", data, at)
        h1 = (rotate64(h1 ^ scramble1(k1), 27) + h2) & MASK64
        h1 = (h1 * 5 + 0x52DCE729) & MASK64
        h2 = (rotate64(h2 ^ scramble2(k2), 31) + h1) & MASK64
        h2 = (h2 * 5 + 0x38495AB5) & MASK64
    k1, k2 = struct.unpack("<QQ", data[whole:].ljust(16, b"\0"))
    h1 ^= scramble1(k1) ^ len(data)
    h2 ^= scramble2(k2) ^ len(data)
    h1 = (h1 + h2) & MASK64
    h2 = (h2 + h1) & MASK64
    h1, h2 = finish64(h1), finish64(h2)
    h1 = (h1 + h2) & MASK64
    return h1, (h2 + h1) & MASK64


def scramble1(k):
    return (rotate64(k * 0x87C37B91114253D5 & MASK64, 31) * 0x4CF5AD432745937F) & MASK64


def scramble2(k):
    return (rotate64(k * 0x4CF5AD432745937F & MASK64, 33) * 0x87C37B91114253D5) & MASK64


def rotate64(x, by):
    return (x << by | x >> (64 - by)) & MASK64


def finish64(k):
    k = ((k ^ k >> 33) * 0xFF51AFD7ED558CCD) & MASK64
    k = ((k ^ k >> 33) * 0xC4CEB9FE1A85EC53) & MASK64
    return k ^ k >> 33


def hash_hex(text):
    """128 bits of a text as 32 lower-case hex digits: h2, then h1."""
    h1, h2 = murmur128(utf8(text))
    return f"{h2:016x}{h1:016x}"


def utf8(text):
    return text.encode("utf-8", "replace")


# --- effective partition keys ---------------------------------------------------------------------------------------

ABSENT = {}


def effective_key(values, definition):
    """The effective partition key of the values of a key, in upper-case hex. An empty dictionary stands for an absent value."""
    if definition.get("kind") == "MultiHash":
        return "".join(effective_key_v2([value]) for value in values)
    return effective_key_v2(values) if definition.get("version") == 2 else effective_key_v1(values[0])


def effective_key_v2(values):
    h1, h2 = murmur128(b"".join(component_bytes(value, b"\xff") for value in values))
    return f"{h2 & 0x3FFFFFFFFFFFFFFF:016X}{h1:016X}"


def effective_key_v1(value):
    ordered = ordered_number(component_hash_v1(value))
    if isinstance(value, str):
        data = utf8(first_units(value, 100))
        data, end = (data[:101], b"") if len(data) > 100 else (data, b"\0")
        encoded = b"\x08" + bytes(byte + 1 for byte in data) + end
    elif is_number(value):
        encoded = ordered_number(value)
    else:
        encoded = component_bytes(value, b"\0")
    return (ordered + encoded).hex().upper()


def component_hash_v1(value):
    """Version 1 hashes the first 100 UTF-16 units of a text."""
    return murmur32(component_bytes(first_units(value, 100) if isinstance(value, str) else value, b"\0"))


def component_bytes(value, text_end):
    if isinstance(value, str):
        return b"\x08" + utf8(value) + text_end
    if is_number(value):
        return b"\x05" + struct.pack("<d", float(value))
    return {"{}": b"\0", "None": b"\1", "False": b"\2", "True": b"\3"}[str(value)]


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def first_units(text, count):
    return text.encode("utf-16-le", "surrogatepass")[: count * 2].decode("utf-16-le", "replace")


def ordered_number(number):
    (bits,) = struct.unpack(">Q", struct.pack(">d", float(number)))
    bits = -bits & MASK64 if bits >> 63 else bits ^ 1 << 63
    out = [0x05, bits >> 56]
    rest = bits << 8 & MASK64
    while rest:
        group = rest >> 56 & 0xFE
        rest = rest << 7 & MASK64
        out.append(group | 1 if rest else group)
    return bytes(out)


# --- suffixes -------------------------------------------------------------------------------------------------------


def suffix_slot(text, count):
    """Which of the suffixes 1 to count a text gets."""
    return 1 + murmur32(utf8(text)) * count // 2**32


def slice_of(key, count, hash_version):
    """Which of count equal slices of the hash space a key falls into."""
    if hash_version == 1:
        return 1 + component_hash_v1(key) * count // 2**32
    return 1 + int(effective_key_v2([key])[:8], 16) * count // 2**30


def even_label(prefix, slot, count, hash_version):
    """The smallest number with which the prefix falls into the slice of that slot."""
    label = 1
    while slice_of(f"{prefix}{label}", count, hash_version) != slot:
        label += 1
    return label


# --- keys -----------------------------------------------------------------------------------------------------------


def key_of(plan, record, source=None):
    """(values, id) of a record under a plan; source holds what Kafka knows of the record."""
    plan = version_of(plan, record)
    reader = Reader(plan, record, source or {})
    reader.id = made_id(plan["id"], reader) if "id" in plan else record.get("id")
    levels = plan["levels"] if "levels" in plan else [plan]
    return [level_value(level, reader) for level in levels], reader.id


def key_definition(plan):
    """How the container of a plan hashes its key."""
    if len(plan.get("levels", [])) > 1:
        return {"kind": "MultiHash", "version": 2}
    return {"kind": "Hash", "version": plan.get("hashVersion", 2)}


def version_of(plan, record):
    chosen = plan
    for older in plan.get("previous", []):
        boundary = older["until"]
        value = look_up(record, boundary["field"])
        if comparable(value) < comparable(boundary["before"]):
            chosen = older["plan"]
    return chosen


def comparable(value):
    return value if is_number(value) else (parse_time(value, timezone.utc) - EPOCH).total_seconds()


class Reader:
    """A plan's view of one record."""

    def __init__(self, plan, record, source):
        self.record = record
        self.source = source
        self.id = None
        self.hash_version = plan.get("hashVersion", 2)
        self.bare = plan.get("encoding") == "plain"


def level_value(level, reader):
    components = level["from"]
    if len(components) == 1 and components[0].get("field") == level["into"] and "suffix" not in level:
        value = coerced(components[0], look_up(reader.record, level["into"]))
        return components[0]["empty"]["use"] if value == "" and has_substitute(components[0]) else value
    separator = level.get("separator", "-")
    suffix = level.get("suffix")
    marks = separator + (suffix.get("separator", ".") if suffix else "")
    base = joined(components, separator, "" if reader.bare else marks, reader)
    limit = (100 if reader.hash_version == 1 else 2048) - suffix_room(suffix)
    base = fitted(base, limit, level.get("tooLong", "reject"))
    return base if suffix is None else with_suffix(base, suffix, suffix_count(suffix, components, reader), reader)


def suffix_count(suffix, components, reader):
    """How many suffixes the base has: hot values of one component, compared without escapes, have their own number."""
    if "hot" not in suffix:
        return suffix["count"]
    text = component_text(components[suffix.get("on", 1) - 1], "", reader)
    return suffix["hot"].get(text, suffix["count"])


def with_suffix(base, suffix, count, reader):
    prefix = base + suffix.get("separator", ".")
    # where there is one suffix, the fields that select one may be missing
    slot = 1 if count == 1 else suffix_slot(suffix_input(suffix["by"], reader), count)
    if suffix.get("labels") == "even":
        return f"{prefix}{even_label(prefix, slot, count, reader.hash_version)}"
    return f"{prefix}{slot}"


def suffix_input(by, reader):
    if by == "random":
        raise ValueError("A random suffix cannot be computed: ask for all of them.")
    if by == "offset":
        return "\0".join(str(reader.source[what]) for what in ("topic", "partition", "offset"))
    fields = [by] if isinstance(by, str) else by
    return joined([{"field": field} for field in fields], "-", "-", reader)


def suffix_room(suffix):
    if suffix is None:
        return 0
    is_fixed = suffix.get("labels") == "even" or "hot" in suffix
    return 1 + (10 if is_fixed else len(str(suffix["count"])))


def fitted(base, limit, too_long):
    size = len(utf8(base))
    looks_cut = limit - 3 <= size <= limit and re.search(r"~~[0-9a-f]{32}\Z", base)
    if size <= limit and not (looks_cut and too_long == "hash"):
        return base
    if too_long != "hash":
        raise ValueError(f"The key has {size} bytes; {limit} are allowed.")
    head = utf8(base)[: limit - 34].decode("utf-8", "ignore")
    return head + "~~" + hash_hex(base)


def made_id(rules, reader):
    text = joined(rules["from"], rules.get("separator", "-"), rules.get("separator", "-"), reader)
    if rules.get("escape") == "underscore":
        return re.sub(r"[/\\?#]", "_", text)
    return re.sub(r"[/\\?#~\x00-\x1f\x7f]| \Z", lambda mark: f"~{ord(mark.group()):02X}", text)


def joined(components, separator, marks, reader):
    texts = [component_text(component, marks if place > 0 else "", reader) for place, component in enumerate(components)]
    return separator.join(texts)


def component_text(component, marks, reader):
    if "literal" in component:
        return component["literal"]
    if "kafka" in component:
        text = kafka_text(component, reader.source)
        if text == "" and has_substitute(component):
            text = component["empty"]["use"]
        return escaped(text, marks)
    if "id" in component:
        return escaped(reader.id, marks)
    is_bucket = "bucket" in component
    place = component["of"] if is_bucket else component["field"]
    if isinstance(place, dict):
        return bucket_text(component, int(reader.source["timestamp"]))
    value = look_up(reader.record, place)
    if value is ABSENT and "orKey" in component:
        value = look_up(json.loads(reader.source["key"]), component["orKey"])
    if value is ABSENT or value is None:
        return escaped(component["missing" if value is ABSENT else "null"]["use"], marks)
    if value == "" and has_substitute(component):
        return escaped(component["empty"]["use"], marks)
    value = coerced(component, value)
    if is_bucket:
        return bucket_text(component, value)
    text = canonical(value)
    if component.get("normalize") == "NFC":
        import unicodedata

        text = unicodedata.normalize("NFC", text)
    return text if component.get("type") in ("date", "uuid", "boolean") else escaped(text, marks)


def coerced(component, value):
    """Text of digits as the number that it names, where the component takes it."""
    if component.get("coerce") is not True or not isinstance(value, str):
        return value
    if re.fullmatch(r"-?[0-9]+", value):
        return int(value)
    return float(value) if "epoch" in component and re.fullmatch(r"-?[0-9]+\.[0-9]+", value) else value


def has_substitute(component):
    """Whether a text is named for empty text. Without one, a reader takes it as is."""
    return component.get("empty", "reject") != "reject"


def kafka_text(component, source):
    what = component["kafka"]
    if what == "header":
        return source["headers"][component["name"]]
    if what == "key" and "field" in component:
        return canonical(look_up(json.loads(source["key"]), component["field"]))
    return str(source[what])


def escaped(text, marks):
    if marks == "":
        return text
    return "".join(f"~{ord(char):02X}" if char in marks + "~" else char for char in text)


def look_up(record, pointer):
    value = record
    for name in pointer[1:].split("/"):
        name = name.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list) and re.fullmatch(r"0|[1-9][0-9]*", name) and int(name) < len(value):
            value = value[int(name)]
        elif isinstance(value, dict) and name in value:
            value = value[name]
        else:
            return ABSENT
    return value


def canonical(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else number_text(value)


def number_text(number):
    """A number as JavaScript writes it; integers in plain digits."""
    if isinstance(number, int) or number.is_integer():
        return str(int(number))
    sign, digits, exponent = Decimal(repr(number)).normalize().as_tuple()
    text = "".join(map(str, digits))
    point = len(text) + exponent
    if point > 0:
        text = text[:point] + "." + text[point:]
    elif point > -6:
        text = "0." + "0" * -point + text
    else:
        text = text[0] + ("." + text[1:] if len(text) > 1 else "") + f"e{point - 1}"
    return "-" + text if sign else text


# --- time buckets ---------------------------------------------------------------------------------------------------

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
LENGTH = {"year": 4, "month": 7, "day": 10, "hour": 13, "minute": 16}


def bucket_text(component, value):
    zone = zone_of(component.get("zone", "UTC"))
    if isinstance(value, str):
        local = parse_time(value, zone).astimezone(zone)
    else:
        unit = component.get("epoch", "milliseconds")
        local = (EPOCH + timedelta(**{unit: value})).astimezone(zone)
    unit, _, minutes = component["bucket"].partition(":")
    if unit == "minute":
        local = local.replace(minute=local.minute - local.minute % int(minutes))
    return local.strftime("%Y-%m-%dT%H:%M").rjust(16, "0")[: LENGTH[unit]]


def zone_of(name):
    if name == "UTC":
        return timezone.utc
    offset = re.fullmatch(r"([+-])(\d\d):(\d\d)", name)
    if offset:
        minutes = int(offset[2]) * 60 + int(offset[3])
        return timezone(timedelta(minutes=-minutes if offset[1] == "-" else minutes))
    from zoneinfo import ZoneInfo

    return ZoneInfo(name)


def parse_time(text, zone):
    """A moment from ISO 8601 text; text without a zone is a reading of the given zone's clocks."""
    parts = re.fullmatch(r"(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(:\d\d)?(?:[.,](\d+))?)?([Zz]|[+-]\d\d:?\d\d)?", text)
    day, clock, seconds, _fraction, offset = parts.groups()
    moment = datetime.strptime(f"{day} {clock or '00:00'}{seconds or ':00'}", "%Y-%m-%d %H:%M:%S")
    if offset is None:
        return moment.replace(tzinfo=zone)
    if offset in "Zz":
        return moment.replace(tzinfo=timezone.utc)
    return moment.replace(tzinfo=zone_of(f"{offset[:3]}:{offset[-2:]}"))


# --- the check ------------------------------------------------------------------------------------------------------


def check(folder):
    """Compares everything with the vectors in a folder; gives the number of rows and the sentences about those that differ."""
    rows, wrong = 0, []
    for name, compute in CHECKS:
        path = folder / name
        for number, (got, wanted) in enumerate(compute(read_json(path)) if path.exists() else []):
            rows += 1
            if got != wanted:
                wrong.append(f"{name}, row {number}: {got!r} instead of {wanted!r}")
    return rows, wrong


def check_hashes(vectors):
    return [(effective_key(row["values"], row["definition"]), row["epk"]) for row in vectors["hashes"]]


def check_suffixes(vectors):
    for row in vectors["suffixes"]:
        yield murmur32(utf8(row["text"])), row["murmur32"]
        yield hash_hex(row["text"]), row["murmur128"]
        for count, slot in row["slots"].items():
            yield suffix_slot(row["text"], int(count)), slot


def check_labels(vectors):
    for row in vectors["labels"]:
        for index, label in enumerate(row["labels"]):
            yield even_label(row["prefix"], index + 1, row["count"], row["hashVersion"]), label


def check_plans(vectors):
    for row in vectors["rows"] if isinstance(vectors, dict) else vectors:
        plan = row["plan"]
        values, made = key_of(plan, row.get("record", row.get("parts")), row.get("source"))
        yield values, row["values"]
        if "id" in row:
            yield made, row["id"]
        if "epk" in row:
            yield effective_key(values, key_definition(plan)), row["epk"]


CHECKS = [
    ("epk.json", check_hashes),
    ("suffixes.json", check_suffixes),
    ("labels.json", check_labels),
    ("plans.json", check_plans),
]


def read_json(path):
    return json.loads(Path(path).read_text(encoding="utf-8"))


def main(arguments):
    if len(arguments) == 2:
        plan, record = map(read_json, arguments)
        values, made = key_of(plan, record)
        print(json.dumps({"values": values, "id": made, "epk": effective_key(values, key_definition(plan))}))
        return 0
    rows, wrong = check(Path(arguments[0]) if arguments else Path(__file__).parent)
    for sentence in wrong:
        print(sentence, file=sys.stderr)
    print(f"{rows} checked, {len(wrong)} wrong")
    return 1 if wrong or rows == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
