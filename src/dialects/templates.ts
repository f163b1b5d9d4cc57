import type { Dialect } from './dialect.ts'
import { findDialect } from './registry.ts'

/**
 * The marks by which a chat template (Jinja or Go, as its server tells it) shows which dialect its model was trained on.
 * The first of which all are there counts: what is a family's own stands before what several families share.
 */
export const templateMarks: readonly (readonly [dialect: string, ...marks: RegExp[]])[] = [
  ['apertus', /<\|tools_prefix\|>/],
  ['seed-oss', /<seed:tool_call>/],
  ['longcat', /<longcat_tool_call>/],
  ['cohere-cofl', /<cofl:tool_call/],
  ['cohere-cmd4', /<\|START_TEXT\|>/],
  ['cohere-cmd3', /<\|START_ACTION\|>/],
  ['command-r-plus', /Action:\s*```json|\bdirectly-answer\b/],
  ['deepseek-dsml-v3.2', /｜DSML｜/, /\bfunction_calls>/],
  ['deepseek-dsml-v4.1', /｜DSML｜/, /(?<!\w) calls>/],
  ['deepseek-dsml-v4', /｜DSML｜/],
  ['deepseek-v3', /<｜tool▁call▁begin｜>/, /```json/],
  ['deepseek-v3.1', /<｜tool▁calls?▁begin｜>/],
  ['step3', /<steptml:|<｜tool_calls_begin｜>/],
  ['kimi-k2', /<\|tool_calls_section_begin\|>/],
  ['kimi-k3', /<\|open\|>|<\|sep\|>/],
  ['muse-glimmer', /<atem:function_calls>/],
  ['harmony', /<\|channel\|>/, /functions\./],
  ['solar-open', /<\|tool_call:begin\|>/],
  ['minimax-m3', /\]<\]minimax\[>\[/],
  ['minimax-m2', /<minimax:tool_call>/],
  ['dots', /<dots_function_call>/],
  ['inkling', /<\|content_invoke_tool_json\|>/],
  ['gigachat3', /<\|function_call\|>|<\|role_sep\|>/],
  ['functiongemma', /<start_function_call>/],
  ['gemma4', /<\|tool_call>/],
  ['lfm2', /<\|tool_call_start\|>|<\|tool_list_start\|>|List of tools: \[/],
  ['internlm2', /<\|action_start\|>|<\|plugin\|>/],
  ['nemotron-toolcall', /<TOOLCALL>/],
  ['functools', /functools\[|functools marker/],
  ['mistral-v11', /\[TOOL_CALLS\]/, /\[ARGS\]/],
  ['mistral-v3', /\[TOOL_CALLS\]|\[AVAILABLE_TOOLS\]/],
  ['minicpm5', /<param name=/],
  ['hy-v3', /<tool_sep\b/],
  ['poolside-v1', /<arg_key>/, /<assistant>/],
  [
    'glm-4.7',
    /<tool_call>\{function-name\}<arg_key>|tc\.name\s*-?\}\}(?:\s*\{%[^%]*%\})*<arg_key>|<tool_call>[\w-]+<arg_key>/,
  ],
  ['glm-4.5', /<arg_key>/],
  ['mimo', /<tool_call><function=/, /<parameter=/],
  ['qwen3-coder', /<function=/, /<parameter=/],
  ['functionary-v3.1', /<function=/],
  ['functionary-v3.2', />>>/],
  ['minimax-m1', /<tool_calls>/, /<beginning_of_sentence>/],
  ['hunyuan-a13b', /<tool_calls>/, /<\|extra_[04]\|>/],
  ['apriel', /<tool_calls>\[/, /"id"/],
  ['jamba', /<tool_calls>/],
  ['hyperclovax', /-> tool\/function_call/],
  ['sarashina', /<\|tool_calls\|>/],
  ['granite-3', /<\|tool_call\|>/],
  ['granite-20b-fc', /<function_call>/],
  ['olmo3', /<function_calls>/],
  ['hermes', /<tool_call>/],
  // Granite 3.3 tells its form by the roles alone.
  ['granite-3', /<\|start_of_role\|>/],
  ['llama4-pythonic', /<\|header_start\|>/, /\[func_name1\(/],
  ['pythonic', /\[func_name1\(/],
  ['xlam', /\[\{"name": "[\w-]+", "arguments":/],
  ['llama3-json', /"parameters":/],
]

/** The dialect a chat template shows, where it shows one. */
export function dialectForTemplate(template: string): Dialect | undefined {
  const [shown = ''] = templateMarks.find(([, ...marks]) => marks.every((mark) => mark.test(template))) ?? []
  return findDialect(shown)
}
