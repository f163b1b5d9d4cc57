"""vLLM's tool parsers for `dragoman conformance --parser 'python vllm_parsers.py TOKENIZER'`.

TOKENIZER is a folder or a name on the Hugging Face hub. The marks a parser asks its vocabulary for become tokens of
it, as they are for the parser's own model, and a text is cut between tokens only: that is how vLLM streams.
"""

import contextlib
import json
import sys

PARSERS = {
    "apertus": "apertus",
    "deepseek-dsml-v3.2": "deepseek_v32",
    "deepseek-dsml-v4": "deepseek_v4",
    "deepseek-v3": "deepseek_v3",
    "deepseek-v3.1": "deepseek_v31",
    "dots": "dots",
    "ernie45": "ernie45",
    "functiongemma": "functiongemma",
    "gemma4": "gemma4",
    "gigachat3": "gigachat3",
    "glm-4.5": "glm45",
    "glm-4.7": "glm47",
    "granite-20b-fc": "granite-20b-fc",
    "granite-3": "granite",
    "hermes": "hermes",
    "hunyuan-a13b": "hunyuan_a13b",
    "hy-v3": "hy_v3",
    "inkling": "inkling",
    "internlm2": "internlm",
    "jamba": "jamba",
    "kimi-k2": "kimi_k2",
    "kimi-k3": "kimi_k3",
    "lfm2": "lfm2",
    "llama3-json": "llama3_json",
    "llama4-pythonic": "llama4_pythonic",
    "longcat": "longcat",
    "mimo": "mimo",
    "minicpm5": "minicpm5",
    "minimax-m2": "minimax_m2",
    "minimax-m3": "minimax_m3",
    "olmo3": "olmo3",
    "poolside-v1": "poolside_v1",
    "pythonic": "pythonic",
    "qwen3-coder": "qwen3_coder",
    "seed-oss": "seed_oss",
    "step3": "step3",
    "xlam": "xlam",
}


class Asking(dict):
    """A vocabulary that has every token, and keeps those that were asked for."""

    def __init__(self, known):
        super().__init__(known)
        self.asked = []

    def get(self, token, default=None):
        if isinstance(token, str) and token not in self:
            self.asked.append(token)
            self[token] = 10_000_000 + len(self)
        return super().get(token, default)

    __missing__ = get


def prepare(make, tokenizer):
    """Makes the marks of a parser tokens."""
    asking = Asking(tokenizer.get_vocab())
    real = type(tokenizer).get_vocab
    type(tokenizer).get_vocab = lambda self: asking
    try:
        with contextlib.suppress(Exception):
            make(tokenizer, [])
    finally:
        type(tokenizer).get_vocab = real
    tokenizer.add_tokens(asking.asked, special_tokens=True)


def whole(parser, request, text):
    found = parser.extract_tool_calls(text, request)
    calls = [{"name": one.function.name, "arguments": one.function.arguments} for one in found.tool_calls]
    return found.content, calls


def streamed(parser, request, pieces, tokenizer):
    content, calls = "", {}
    text, ids, ends = "", [], set()
    for piece in pieces:
        ends.add((max(ends) if ends else 0) + len(piece))
    batch, batch_text = [], ""
    tokens = tokenizer.encode("".join(pieces), add_special_tokens=False)

    def take(delta):
        nonlocal content
        if delta is None:
            return
        content += delta.content or ""
        for call in delta.tool_calls or []:
            known = calls.setdefault(call.index, {"name": "", "arguments": ""})
            known["name"] += (call.function.name if call.function else None) or ""
            known["arguments"] += (call.function.arguments if call.function else None) or ""

    for nth, token in enumerate(tokens):
        batch.append(token)
        said = tokenizer.decode(tokens[: nth + 1], skip_special_tokens=False)
        isLast = nth == len(tokens) - 1
        if (said.endswith("\ufffd") or not any(len(text) < end <= len(said) for end in ends)) and not isLast:
            continue
        batch_text = said[len(text) :]
        take(parser.extract_tool_calls_streaming(text, said, batch_text, ids, ids + batch, batch, request))
        text, ids, batch = said, ids + batch, []
    if hasattr(parser, "finish_streaming"):
        take(parser.finish_streaming())
    elif calls:
        calls[max(calls)]["arguments"] += parser.get_remaining_unstreamed_args()
    return content, [calls[index] for index in sorted(calls)]


def main():
    from transformers import AutoTokenizer
    from vllm.entrypoints.openai.chat_completion.protocol import ChatCompletionRequest
    from vllm.tool_parsers import ToolParserManager

    tokenizers = {}
    for line in sys.stdin:
        case = json.loads(line)
        answer = {"id": case["id"]}
        name = PARSERS.get(case["format"])
        if name is None:
            print(json.dumps({**answer, "skip": True}), flush=True)
            continue
        try:
            make = ToolParserManager.get_tool_parser(name)
            if name not in tokenizers:
                tokenizers[name] = AutoTokenizer.from_pretrained(sys.argv[1])
                prepare(make, tokenizers[name])
            request = ChatCompletionRequest(
                model="m", messages=[{"role": "user", "content": "x"}], tools=case["tools"], tool_choice="auto"
            )
            parser = make(tokenizers[name], request.tools)
            pieces = case["pieces"]
            if len(pieces) == 1:
                content, calls = whole(parser, request, pieces[0])
            else:
                content, calls = streamed(parser, request, pieces, tokenizers[name])
            print(json.dumps({**answer, "content": content, "tool_calls": calls}), flush=True)
        except Exception as error:
            print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr)
            print(json.dumps({**answer, "content": None, "tool_calls": []}), flush=True)


main()
