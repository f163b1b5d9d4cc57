import { anthropicXml } from './anthropic-xml.ts'
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
import { ernie45 } from './ernie45.ts'
import { functionaryV31 } from './functionary-v3.1.ts'
import { functionaryV32 } from './functionary-v3.2.ts'
import { functiongemma } from './functiongemma.ts'
import { functools } from './functools.ts'
import { gemma4 } from './gemma4.ts'
import { gigachat3 } from './gigachat3.ts'
import { glm45 } from './glm-4.5.ts'
import { glm47 } from './glm-4.7.ts'
import { glm4Legacy } from './glm4-legacy.ts'
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
import { jsonBare } from './json-bare.ts'
import { jsonBareArray } from './json-bare-array.ts'
import { jsonFence } from './json-fence.ts'
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
import { openaiWrapper } from './openai-wrapper.ts'
import { poolsideV1 } from './poolside-v1.ts'
import { pythonic } from './pythonic.ts'
import { qwenAgentFlower } from './qwen-agent-flower.ts'
import { qwen3Coder } from './qwen3-coder.ts'
import { react } from './react.ts'
import { rooXml } from './roo-xml.ts'
import { sarashina } from './sarashina.ts'
import { seedOss } from './seed-oss.ts'
import { solarOpen } from './solar-open.ts'
import { step3 } from './step3.ts'
import { toolbridge } from './toolbridge.ts'
import { toolifyXml } from './toolify-xml.ts'
import { xlam } from './xlam.ts'
import { xmlNameArgs } from './xml-name-args.ts'
import { xmlToolname } from './xml-toolname.ts'
import { yamlXml } from './yaml-xml.ts'

/** Every dialect. Where two share a mark and both could read on, the earlier one wins. */
export const dialects: readonly Dialect[] = [
  hermes,
  ernie45,
  longcat,
  qwen3Coder,
  mimo,
  seedOss,
  glm47,
  glm45,
  poolsideV1,
  hyV3,
  xmlNameArgs,
  jamba,
  apriel,
  hunyuanA13b,
  minimaxM1,
  nemotronToolcall,
  granite3,
  granite20bFc,
  hyperclovax,
  functools,
  mistralV3,
  mistralV11,
  llama3Json,
  xlam,
  apertus,
  internlm2,
  cohereCmd3,
  cohereCmd4,
  cohereCofl,
  commandRPlus,
  gigachat3,
  inkling,
  sarashina,
  deepseekV3,
  deepseekV31,
  kimiK2,
  functionaryV31,
  functionaryV32,
  harmony,
  solarOpen,
  minimaxM2,
  anthropicXml,
  toolifyXml,
  olmo3,
  dots,
  deepseekDsmlV32,
  deepseekDsmlV41,
  deepseekDsmlV4,
  step3,
  museGlimmer,
  minicpm5,
  kimiK3,
  minimaxM3,
  pythonic,
  llama4Pythonic,
  lfm2,
  gemma4,
  functiongemma,
  rooXml,
  xmlToolname,
  yamlXml,
  toolbridge,
  react,
  qwenAgentFlower,
  jsonFence,
  jsonBare,
  jsonBareArray,
  openaiWrapper,
  glm4Legacy,
]

const byName = new Map(dialects.map((dialect) => [dialect.name, dialect]))

/** A dialect by its name. */
export function findDialect(name: string): Dialect | undefined {
  return byName.get(name)
}

/** What models of every kind have seen a lot of, in forms that differ: JSON in tags and in a fence, XML, parameters in tags. */
export const commonDialects: readonly string[] = [hermes, jsonFence, xmlNameArgs, qwen3Coder].map(({ name }) => name)

/** The dialect a model is taught by default: its own, if it has one, else the one most models know. */
export function dialectFor(modelId: string): Dialect {
  return dialects.find((dialect) => dialect.speaks?.test(modelId)) ?? hermes
}
