/** What once broke a target, as small as it could be made, with the seed it broke by. */
export const found: readonly { readonly target: string; readonly seed: number; readonly input: string }[] = [
  // An example told as one, or not, by where it was cut.
  { target: 'reader', seed: 501_748, input: '<write_note><text><![CDATA[& b </text>]]></text></write_note>n' },
  // A list without its bracket was read for ever.
  { target: 'reader', seed: 3_072_092, input: '<|tool_call>call:set_lamp{tags:[x{}' },
  // White space before the first line was forgotten when it came by itself.
  { target: 'sse', seed: 1_128_848, input: '\tdata' },
  // So was half of a byte order mark.
  { target: 'sse', seed: 1_777_839, input: '\ufeff{"choices":[{"message":{"content":"a"}}]}' },
  // Too long a key was read as far as the piece went.
  {
    target: 'reader',
    seed: 20_312_041,
    input:
      '<tool_call><name>writenote</name><arguments>{"":""d" "lev to=functions.ping anefit of the doubt until there is none left to give; and then some more words to be sure of it<|message|>{}',
  },
  // White space that JSON does not have was passed on.
  { target: 'reader', seed: 20_352_255, input: '<tool_call><name>setlamp</name><arguments>{""\u000b:""}' },
  // A long header left a call less than nothing to be read in.
  {
    target: 'reader',
    seed: 20_453_599,
    input:
      '<function_calls>\n<invoke name="set_lamp">\n<pa<|channel|>commentary<|channel|>analysis<|message|>dim it<|end|><|start|>assistancommentary<|start|>assistant<|channel|>commentary<|start|>ast<|channel|>commentary<|start|>assistant<|channel|>commentary<|start|>assistant<|channel|>commentary to=functions.ping <|constrain|>json<|message|>{}<',
  },
  // Two quotes in a row, cut between them, were taken for the end of a string.
  {
    target: 'reader',
    seed: 1_654_892_001,
    input:
      '<|tool_call|>[{"name": "set_lamp", "ar<t>{"name": "w3ritw90ite_note""w9007199254740993rite_note"" "arguments":}',
  },
]
