"""Compiles published schemas, one JSON array on standard input, as engines outside of JavaScript do. Prints what they refuse."""

import json
import re
import sys
from typing import Annotated

import re2
from jsonschema import Draft202012Validator, ValidationError
from llguidance import LLMatcher, LLTokenizer
from pydantic import StringConstraints, TypeAdapter

TOKENIZER = LLTokenizer("byte")


def patterns(schema):
    if isinstance(schema, list):
        for one in schema:
            yield from patterns(one)
    elif isinstance(schema, dict):
        if isinstance(schema.get("pattern"), str):
            yield schema["pattern"]
        for value in schema.values():
            yield from patterns(value)


def refusals(name, schema, sample):
    engines = {
        "re": lambda: [re.compile(one) for one in patterns(schema)],
        "RE2": lambda: [re2.compile(one) for one in patterns(schema)],
        "Rust regex": lambda: [TypeAdapter(Annotated[str, StringConstraints(pattern=one)]) for one in patterns(schema)],
        "jsonschema": lambda: validate(schema, sample),
        "llguidance": lambda: constrain(schema),
    }
    for engine, compiles in engines.items():
        try:
            compiles()
        except Exception as error:
            yield f"{name}: {engine}: {type(error).__name__} {error}"[:500]


def validate(schema, sample):
    Draft202012Validator.check_schema(schema)
    try:
        Draft202012Validator(schema).validate(sample)
    except ValidationError:
        # Samples are made without a look at patterns; what counts is that the schema can be applied.
        pass


def constrain(schema):
    matcher = LLMatcher(TOKENIZER, LLMatcher.grammar_from_json_schema(schema))
    if matcher.is_error():
        raise ValueError(matcher.get_error())


found = [what for one in json.load(sys.stdin) for what in refusals(one["name"], one["schema"], one.get("sample"))]
print(json.dumps(found))
