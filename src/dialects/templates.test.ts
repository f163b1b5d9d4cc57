import { describe, expect, test } from 'vitest'
import { printCalls } from '../engine/print.ts'
import { dialectFor, dialects, findDialect } from './registry.ts'
import { dialectForTemplate, templateMarks } from './templates.ts'

/** How the templates of each family write a call, cut to the line that does it. */
const sources: readonly [string, string, string][] = [
  ['Qwen 2.5', 'hermes', `{{- '\\n<tool_call>\\n{"name": "' }}{{- tool_call.name }}{{- '", "arguments": ' }}`],
  [
    'Qwen3-Coder',
    'qwen3-coder',
    `{{- '\\n<tool_call>\\n<function=' + tool_call.name + '>\\n' }}{{- '<parameter=' + k + '>\\n' }}`,
  ],
  [
    'MiMo V2.6',
    'mimo',
    `{{- '<tool_call><function=' + tool_call.name + '>' }}{{- '<parameter=' + k + '>' + v + '</parameter>' }}`,
  ],
  [
    'Qwen 2.5 as Ollama has it',
    'hermes',
    '<tool_call>\n{"name": "{{ .Function.Name }}", "arguments": {{ .Function.Arguments }}}\n</tool_call>',
  ],
  ['Llama 3.1', 'llama3-json', `{{- '{"name": "' + tool_call.name + '", ' }}{{- '"parameters": ' }}`],
  [
    'Llama 3.1 as Ollama has it',
    'llama3-json',
    '{"name": "{{ .Function.Name }}", "parameters": {{ .Function.Arguments }}}',
  ],
  [
    'Llama 4, Python',
    'llama4-pythonic',
    `{{- '<|header_start|>assistant' }} Use exact format: [func_name1(param1=value1)]`,
  ],
  ['Llama 4, JSON', 'llama3-json', `{{- '<|header_start|>assistant' }}{{- '"parameters": ' }}`],
  ['Mistral Nemo', 'mistral-v3', `{{- "[TOOL_CALLS][" }}{{- out[:-1] }}{{- ', "id": "' }}`],
  ['Mistral Small 3.2', 'mistral-v11', `{{- "[TOOL_CALLS]" + name + "[ARGS]" + arguments }}`],
  [
    'DeepSeek R1',
    'deepseek-v3',
    `'<｜tool▁call▁begin｜>' + tool['type'] + '<｜tool▁sep｜>' + name + '\\n' + '\`\`\`json' + '\\n'`,
  ],
  ['DeepSeek V3.1', 'deepseek-v3.1', `'<｜tool▁call▁begin｜>'+ tool['function']['name'] + '<｜tool▁sep｜>' + args`],
  [
    'DeepSeek V3.2',
    'deepseek-dsml-v3.2',
    `{%- set dsml_token = '｜DSML｜' -%}{{- '<' + dsml_token + 'function_calls>' }}`,
  ],
  ['DeepSeek V4.1', 'deepseek-dsml-v4.1', `{%- set dsml_token = '｜DSML｜' -%}{{- '<' + dsml_token + ' calls>' }}`],
  ['DeepSeek V4', 'deepseek-dsml-v4', `{%- set dsml_token = '｜DSML｜' -%}{{- '<' + dsml_token + 'tool_calls>' }}`],
  [
    'GLM 4.6',
    'glm-4.5',
    `{{ '\\n<tool_call>' + tc.name }}\n<arg_key>{{ k }}</arg_key>\n<arg_value>{{ v }}</arg_value>`,
  ],
  ['GLM 4.7', 'glm-4.7', `{{- '<tool_call>' + tc.name -}}\n{% for k, v in args %}<arg_key>{{ k }}</arg_key>`],
  ['Laguna', 'poolside-v1', `{{- "<assistant>" }}{{- '<tool_call>' + name -}}{{- "<arg_key>" ~ k ~ "</arg_key>" -}}`],
  ['Hy3', 'hy-v3', `{%- set toolcalls = '<tool_calls{}>'.format(T) %}{%- set sep = '<tool_sep{}>'.format(T) %}`],
  ['Command R7B', 'cohere-cmd3', '<|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "x", "parameters": {}}'],
  ['Command A 2026', 'cohere-cmd4', '<|START_TEXT|>{{ msg }}<|END_TEXT|><|START_ACTION|>['],
  [
    'HyperCLOVA X SEED Think 14B',
    'hyperclovax',
    `{{- '<|im_start|>assistant -> tool/function_call\\n' }}{{- '[{"name": "' + tool_call.name + '", "arguments": ' }}`,
  ],
  ['Granite 3.3', 'granite-3', 'write <|tool_call|> followed by a JSON list of tools used.'],
  ['LFM2, which shows no calls', 'lfm2', `{%- set prompt = prompt + "List of tools: <|tool_list_start|>[" -%}`],
  ['ToolACE', 'pythonic', 'in the format of [func_name1(params_name1=params_value1)]'],
  ['xLAM', 'xlam', '[{"name": "tool_call_name", "arguments": {"arg1": "value1"}}, …]'],
  ['Phi-4-mini', 'functools', 'prefix function calls with functools marker (no closing marker required)'],
  ['Functionary 3.2', 'functionary-v3.2', `{{ '>>>' + tool_call.function.name }}`],
]

describe('the dialect of a chat template', () => {
  test.each(sources)('%s: %s', (_, dialect, template) => {
    expect(dialectForTemplate(template)?.name).toBe(dialect)
  })

  test.each([
    ['ChatML without tools', "{{'<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>'}}"],
    ['a bare prompt of Ollama', '{{ .Prompt }}'],
    ['nothing', ''],
  ])('%s: unknown', (_, template) => {
    expect(dialectForTemplate(template)).toBeUndefined()
  })

  const call = { id: 'call_1', kind: 'function', name: 'get_temp', arguments: '{"room": "attic"}' } as const
  const tools = [
    { kind: 'function', name: 'get_temp', parameters: { type: 'object', properties: { room: { type: 'string' } } } },
  ] as const
  test('its marks name dialects there are', () => {
    expect(templateMarks.map(([name]) => name).filter((name) => findDialect(name) === undefined)).toEqual([])
  })

  // Printed calls alone say less than a template: these families print what others print too.
  const shared = new Set([
    'pythonic',
    'llama4-pythonic',
    'hunyuan-a13b',
    'minimax-m1',
    'cohere-cmd4',
    'poolside-v1',
    'command-r-plus',
    'apriel',
    'glm-4.5',
    'glm-4.7',
    'llama3-json',
  ])
  const distinct = dialects.filter(({ name }) => templateMarks.some(([one]) => one === name) && !shared.has(name))

  test.each(distinct.map((dialect) => [dialect.name, dialect] as const))('a printed call shows %s', (name, dialect) => {
    expect(dialectForTemplate(printCalls(dialect, [call], tools))?.name).toBe(name)
  })

  test('a long template of nothing but marks is searched at once', () => {
    const started = performance.now()
    for (const filler of ['<tool_call>', '｜DSML｜', '<assistant>', '[TOOL_CALLS]', '<tool_calls>[', 'x'])
      dialectForTemplate(filler.repeat(100_000 / filler.length))
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})

describe('the dialect of a name', () => {
  test.each([
    ['Qwen/Qwen2.5-Coder-32B-Instruct', 'hermes'],
    ['qwen3:8b', 'hermes'],
    ['Qwen3-Next-80B-A3B', 'hermes'],
    ['Qwen3-Coder-30B-A3B', 'qwen3-coder'],
    ['Qwen/Qwen3.5-9B', 'qwen3-coder'],
    ['qwen3.6:35b', 'qwen3-coder'],
    ['qwen3.8-27b', 'qwen3-coder'],
    ['Qwen4-30B', 'qwen3-coder'],
    ['qwen-72b-chat', 'hermes'],
    ['deepreinforce-ai/Ornith-1.0-9B', 'qwen3-coder'],
    ['XiaomiMiMo/MiMo-VL-7B-RL', 'hermes'],
    ['XiaomiMiMo/MiMo-V2.5', 'qwen3-coder'],
    ['XiaomiMiMo/MiMo-V2-Flash', 'qwen3-coder'],
    ['XiaomiMiMo/MiMo-V2.6', 'mimo'],
    ['xiaomi/mimo-v2.6-pro', 'mimo'],
    ['XiaomiMiMo/MiMo-V3', 'mimo'],
    ['stepfun-ai/step3', 'step3'],
    ['stepfun-ai/Step-3.5-Flash', 'qwen3-coder'],
    ['stepfun-ai/Step-3.7-Flash', 'qwen3-coder'],
    ['LGAI-EXAONE/K-EXAONE-236B-A23B', 'hermes'],
    ['LGAI-EXAONE/K-EXAONE-2-300B', 'qwen3-coder'],
    ['inclusionAI/Ring-2.6-1T', 'glm-4.5'],
    ['inclusionAI/Ling-2.6-flash', 'hermes'],
    ['inclusionAI/Ling-3.0-flash', 'glm-4.7'],
    ['naver-hyperclovax/HyperCLOVAX-SEED-Think-32B', 'glm-4.5'],
    ['naver-hyperclovax/HyperCLOVAX-SEED-Think-14B', 'hyperclovax'],
    ['naver-hyperclovax/HyperCLOVAX-SEED-Text-Instruct-1.5B', 'hermes'],
    ['zai-org/GLM-4.6', 'glm-4.5'],
    ['zai-org/GLM-5.1', 'glm-4.7'],
    ['glm-6', 'glm-4.7'],
    ['nvidia/Llama-3.1-Nemotron-70B-Instruct', 'nemotron-toolcall'],
    ['nvidia/NVIDIA-Nemotron-3-Nano-30B', 'qwen3-coder'],
    ['google/gemma-7b-it', 'hermes'],
    ['google/gemma-3-27b-it', 'pythonic'],
    ['google/gemma-5-12b', 'gemma4'],
    ['codellama-70b', 'hermes'],
    ['moonshotai/Kimi-K2.5', 'kimi-k2'],
    ['moonshotai/Kimi-K4', 'kimi-k3'],
    ['MiniMaxAI/MiniMax-M4', 'minimax-m3'],
    ['deepseek-ai/DeepSeek-V4-Flash-0731', 'deepseek-dsml-v4'],
    ['deepseek-ai/DeepSeek-V4.1', 'deepseek-dsml-v4.1'],
    ['deepseek-v4.1-flash:free', 'deepseek-dsml-v4.1'],
    ['DeepSeek_V41', 'deepseek-dsml-v4.1'],
    ['deepseek-ai/DeepSeek-V5', 'deepseek-dsml-v4.1'],
    ['nobody/heard-of-it', 'hermes'],
  ])('%s: %s', (name, dialect) => {
    expect(dialectFor(name).name).toBe(dialect)
  })
})
