"""Uses the official SDKs of OpenAI and Anthropic at an endpoint, and prints what they return as JSON."""

import json
import sys

import anthropic
import openai

url, key, wrong, model = sys.argv[1:5]
USER = [{"role": "user", "content": "Hi"}]
WEATHER = {"type": "object", "properties": {"city": {"type": "string"}}}


def raised(call):
    """The class and status of the exception that a call raises."""
    try:
        call()
    except (openai.APIStatusError, anthropic.APIStatusError) as error:
        return [type(error).__name__, error.status_code]
    return None


def of_openai():
    client = openai.OpenAI(base_url=f"{url}/v1", api_key=key, max_retries=0)
    chat = client.chat.completions
    tools = [{"type": "function", "function": {"name": "weather", "parameters": WEATHER}}]
    stream = chat.create(model=model, messages=USER, stream=True, stream_options={"include_usage": True})
    said, usage = "", None
    for part in stream:
        usage = part.usage or usage
        for choice in part.choices:
            said += choice.delta.content or ""
    called = chat.create(model=model, messages=[{"role": "user", "content": "Weather?"}], tools=tools).choices[0]
    arguments = ""
    for part in chat.create(model=model, messages=[{"role": "user", "content": "Weather?"}], tools=tools, stream=True):
        for choice in part.choices:
            for call in choice.delta.tool_calls or []:
                arguments += call.function.arguments or ""
    with client.responses.stream(model=model, input="Hi") as responses:
        final = responses.get_final_response()
    stranger = openai.OpenAI(base_url=f"{url}/v1", api_key=wrong, max_retries=0)
    return {
        "listed": any(one.id == model for one in client.models.list()),
        "whole": chat.create(model=model, messages=USER).choices[0].message.content,
        "streamed": said,
        "usage": [usage.prompt_tokens, usage.completion_tokens],
        "tool": [called.message.tool_calls[0].function.name, json.loads(called.message.tool_calls[0].function.arguments)],
        "finish": called.finish_reason,
        "streamedArguments": json.loads(arguments),
        "response": client.responses.create(model=model, input="Hi").output_text,
        "responseStreamed": final.output_text,
        "unknown": raised(lambda: chat.create(model="nobody", messages=USER)),
        "bad": raised(lambda: chat.create(model=model, messages=USER, max_tokens=-1)),
        "refused": raised(lambda: chat.create(model="dear", messages=USER)),
        "stranger": raised(lambda: stranger.chat.completions.create(model=model, messages=USER)),
    }


def of_anthropic():
    client = anthropic.Anthropic(base_url=url, api_key=key, max_retries=0)
    asked = {"model": model, "max_tokens": 100, "messages": USER}
    tools = [{"name": "weather", "input_schema": WEATHER}]
    with client.messages.stream(**asked) as stream:
        final = stream.get_final_message()
    question = {**asked, "messages": [{"role": "user", "content": "Weather?"}], "tools": tools}
    called = client.messages.create(**question)
    with client.messages.stream(**question) as stream:
        streamed = stream.get_final_message()
    use = next(block for block in called.content if block.type == "tool_use")
    streamed_use = next(block for block in streamed.content if block.type == "tool_use")
    stranger = anthropic.Anthropic(base_url=url, api_key=wrong, max_retries=0)
    return {
        "listed": any(one.id == model for one in client.models.list()),
        "whole": client.messages.create(**asked).content[0].text,
        "streamed": final.content[0].text,
        "usage": [final.usage.input_tokens, final.usage.output_tokens],
        "tool": [use.name, use.input],
        "finish": called.stop_reason,
        "streamedArguments": streamed_use.input,
        "unknown": raised(lambda: client.messages.create(**{**asked, "model": "nobody"})),
        "bad": raised(lambda: client.messages.create(**{**asked, "max_tokens": -1})),
        "refused": raised(lambda: client.messages.create(**{**asked, "model": "dear"})),
        "stranger": raised(lambda: stranger.messages.create(**asked)),
    }


print(json.dumps({"versions": [openai.__version__, anthropic.__version__], "openai": of_openai(), "anthropic": of_anthropic()}))
