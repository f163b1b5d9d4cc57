import type { JsonObject } from '../../protocol/json.ts'

/** What engines say when they do not take the schema of a tool, or cannot make a grammar of it. */
const schemaWords: Readonly<Record<string, readonly RegExp[]>> = {
  // LM Studio passes its words on, with "Engine protocol predict request returned 400" before them.
  'llama.cpp': [
    /json schema conversion failed|unrecognized schema|(?:error resolving|unsupported) ref\b/i,
    /pattern must start with '\^' and end with '\$'/i,
    /unable to generate parser for this template/i,
    /(?:failed to parse|error parsing|error initializing|couldn't compile a) .{0,20}grammar|failed to initialize samplers/i,
  ],
  'LM Studio': [/tools\W{0,3}\d+\W{1,3}(?:function\W{1,3})?parameters|error in (?:json )?schema|invalid json schema/i],
  Ollama: [/cannot unmarshal .{0,40} into Go (?:struct field|value) .{0,60}(?:tool|parameters|property)/i],
  'vLLM, xgrammar': [
    /features? (?:that (?:is|are) )?not supported by (?:xgrammar|outlines|guidance)/i,
    /(?:failed to|cannot|could not|unable to) (?:convert|compile|parse|build|resolve) .{0,60}(?:json ?schema|grammar|regex|\$?ref)/i,
    /invalid (?:grammar|regex|json ?schema)|grammar (?:error|compilation)|(?:json ?)?schema.{0,40} (?:is not|isn't|not) (?:valid|supported)/i,
    /tool .{0,80}(?:invalid|unsupported) .{0,10}(?:schema|parameters)/i,
  ],
  SGLang: [/function has invalid 'parameters' schema|failed to compile .{0,40}(?:schema|grammar)/i],
  'hosted services': [/invalid schema for function|invalid_function_parameters/i],
}

/** Engines say it of a request they do not take, and llama.cpp and LM Studio with a 500. */
const schemaStatuses: ReadonlySet<number> = new Set([400, 422, 500])

/** Whether a refusal is about the schemas of the tools that were sent. */
export function refusesSchema(
  status: number,
  sent: JsonObject | undefined,
  says: (pattern: RegExp) => boolean,
): boolean {
  const tools = sent?.['tools']
  if (!schemaStatuses.has(status) || !Array.isArray(tools) || tools.length === 0) return false
  return Object.values(schemaWords).some((patterns) => patterns.some(says))
}
