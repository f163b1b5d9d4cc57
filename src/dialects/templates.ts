import { apertus } from './apertus.ts'
import { apriel } from './apriel.ts'
import { cohereCmd3 } from './cohere-cmd3.ts'
import { cohereCmd4 } from './cohere-cmd4.ts'
import { cohereCofl } from './cohere-cofl.ts'
import { commandRPlus } from './command-r-plus.ts'
import { deepseekDsmlV32 } from './deepseek-dsml-v3.2.ts'
import { deepseekDsmlV41 } from './deepseek-dsml-v4.1.ts'
import { deepseekDsmlV4 } from './deepseek-dsml-v4.ts'
import { deepseekV31 } from './deepseek-v3.1.ts'
import { deepseekV3 } from './deepseek-v3.ts'
import type { Dialect } from './dialect.ts'
import { dots } from './dots.ts'
import { functionaryV31 } from './functionary-v3.1.ts'
import { functionaryV32 } from './functionary-v3.2.ts'
import { functiongemma } from './functiongemma.ts'
import { functools } from './functools.ts'
import { gemma4 } from './gemma4.ts'
import { gigachat3 } from './gigachat3.ts'
import { glm45 } from './glm-4.5.ts'
import { glm47 } from './glm-4.7.ts'
import { granite3 } from './granite-3.ts'
import { granite20bFc } from './granite-20b-fc.ts'
import { harmony } from './harmony.ts'
import { hermes } from './hermes.ts'
import { hunyuanA13b } from './hunyuan-a13b.ts'
import { hyV3 } from './hy-v3.ts'
import { hyperclovax } from './hyperclovax.ts'
import { inkling } from './inkling.ts'
import { internlm2 } from './internlm2.ts'
import { jamba } from './jamba.ts'
import { kimiK2 } from './kimi-k2.ts'
import { kimiK3 } from './kimi-k3.ts'
import { lfm2 } from './lfm2.ts'
import { llama3Json } from './llama3-json.ts'
import { llama4Pythonic } from './llama4-pythonic.ts'
import { longcat } from './longcat.ts'
import { mimo } from './mimo.ts'
import { minicpm5 } from './minicpm5.ts'
import { minimaxM1 } from './minimax-m1.ts'
import { minimaxM2 } from './minimax-m2.ts'
import { minimaxM3 } from './minimax-m3.ts'
import { mistralV3 } from './mistral-v3.ts'
import { mistralV11 } from './mistral-v11.ts'
import { museGlimmer } from './muse-glimmer.ts'
import { nemotronToolcall } from './nemotron-toolcall.ts'
import { olmo3 } from './olmo3.ts'
import { poolsideV1 } from './poolside-v1.ts'
import { pythonic } from './pythonic.ts'
import { qwen3Coder } from './qwen3-coder.ts'
import { sarashina } from './sarashina.ts'
import { seedOss } from './seed-oss.ts'
import { solarOpen } from './solar-open.ts'
import { step3 } from './step3.ts'
import { xlam } from './xlam.ts'

/**
 * The marks by which a chat template (Jinja or Go, as its server tells it) shows which dialect its model was trained on.
 * The first of which all are there counts: what is a
 * family's own stands before what several families share.
 */
export const templateMarks: readonly (readonly [Dialect, ...RegExp[]])[] = [
  [apertus, /<\|tools_prefix\|>/],
  [seedOss, /<seed:tool_call>/],
  [longcat, /<longcat_tool_call>/],
  [cohereCofl, /<cofl:tool_call/],
  [cohereCmd4, /<\|START_TEXT\|>/],
  [cohereCmd3, /<\|START_ACTION\|>/],
  [commandRPlus, /Action:\s*```json|\bdirectly-answer\b/],
  [deepseekDsmlV32, /｜DSML｜/, /\bfunction_calls>/],
  [deepseekDsmlV41, /｜DSML｜/, /(?<!\w) calls>/],
  [deepseekDsmlV4, /｜DSML｜/],
  [deepseekV3, /<｜tool▁call▁begin｜>/, /```json/],
  [deepseekV31, /<｜tool▁calls?▁begin｜>/],
  [step3, /<steptml:|<｜tool_calls_begin｜>/],
  [kimiK2, /<\|tool_calls_section_begin\|>/],
  [kimiK3, /<\|open\|>|<\|sep\|>/],
  [museGlimmer, /<atem:function_calls>/],
  [harmony, /<\|channel\|>/, /functions\./],
  [solarOpen, /<\|tool_call:begin\|>/],
  [minimaxM3, /\]<\]minimax\[>\[/],
  [minimaxM2, /<minimax:tool_call>/],
  [dots, /<dots_function_call>/],
  [inkling, /<\|content_invoke_tool_json\|>/],
  [gigachat3, /<\|function_call\|>|<\|role_sep\|>/],
  [functiongemma, /<start_function_call>/],
  [gemma4, /<\|tool_call>/],
  [lfm2, /<\|tool_call_start\|>|<\|tool_list_start\|>|List of tools: \[/],
  [internlm2, /<\|action_start\|>|<\|plugin\|>/],
  [nemotronToolcall, /<TOOLCALL>/],
  [functools, /functools\[|functools marker/],
  [mistralV11, /\[TOOL_CALLS\]/, /\[ARGS\]/],
  [mistralV3, /\[TOOL_CALLS\]|\[AVAILABLE_TOOLS\]/],
  [minicpm5, /<param name=/],
  [hyV3, /<tool_sep\b/],
  [poolsideV1, /<arg_key>/, /<assistant>/],
  [
    glm47,
    /<tool_call>\{function-name\}<arg_key>|tc\.name\s*-?\}\}(?:\s*\{%[^%]*%\})*<arg_key>|<tool_call>[\w-]+<arg_key>/,
  ],
  [glm45, /<arg_key>/],
  [mimo, /<tool_call><function=/, /<parameter=/],
  [qwen3Coder, /<function=/, /<parameter=/],
  [functionaryV31, /<function=/],
  [functionaryV32, />>>/],
  [minimaxM1, /<tool_calls>/, /<beginning_of_sentence>/],
  [hunyuanA13b, /<tool_calls>/, /<\|extra_[04]\|>/],
  [apriel, /<tool_calls>\[/, /"id"/],
  [jamba, /<tool_calls>/],
  [hyperclovax, /-> tool\/function_call/],
  [sarashina, /<\|tool_calls\|>/],
  [granite3, /<\|tool_call\|>/],
  [granite20bFc, /<function_call>/],
  [olmo3, /<function_calls>/],
  [hermes, /<tool_call>/],
  // Granite 3.3 tells its form by the roles alone.
  [granite3, /<\|start_of_role\|>/],
  [llama4Pythonic, /<\|header_start\|>/, /\[func_name1\(/],
  [pythonic, /\[func_name1\(/],
  [xlam, /\[\{"name": "[\w-]+", "arguments":/],
  [llama3Json, /"parameters":/],
]

/** The dialect a chat template shows, where it shows one. */
export function dialectForTemplate(template: string): Dialect | undefined {
  return templateMarks.find(([, ...marks]) => marks.every((mark) => mark.test(template)))?.[0]
}
