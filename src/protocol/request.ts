import type { GatewayError } from '../errors.ts'
import type { Note } from './event.ts'
import type { Json, JsonObject } from './json.ts'
import type { Message } from './message.ts'
import type { HostedTool, Tool, ToolChoice } from './tool.ts'

/** How the model is to sample. Absent means the upstream's default. */
export interface Sampling {
  readonly temperature?: number
  readonly topP?: number
  readonly presencePenalty?: number
  readonly frequencyPenalty?: number
  readonly seed?: number
  readonly logitBias?: JsonObject
  readonly logprobs?: boolean
  readonly topLogprobs?: number
}

/** How much the model is to think. What is absent is up to the model. */
export interface Reasoning {
  readonly enabled?: boolean
  /** `low`, `medium`, `high`, or what else the service knows. */
  readonly effort?: string
  /** Tokens it may think for. */
  readonly budget?: number
}

/** One chat request as every door hands it to a turn, whatever wire it came on. */
export interface Request {
  readonly model: string
  readonly messages: readonly Message[]
  readonly tools: readonly Tool[]
  /** The name of the one of them that the gateway put there, and answers itself: a search for the others. */
  readonly search?: string
  /** Offered beside them. No service here runs any: what that means is the turn's business, but for what a wire refuses. */
  readonly hosted?: readonly HostedTool[]
  /** Absent: auto when there are tools. */
  readonly toolChoice?: ToolChoice
  readonly parallelCalls?: boolean
  readonly sampling: Sampling
  readonly maxTokens?: number
  readonly stop?: readonly string[]
  readonly responseFormat?: Json
  readonly reasoning?: Reasoning
  readonly user?: string
  /** Fields no door translates, by their wire name; forwarded only where the config says so. */
  readonly extra: JsonObject
  /**
   * What is wrong with the conversation and could be put right. The messages are as good a reading of it as there is;
   * whether they are healed or the request refused with these is for the model's settings to say.
   */
  readonly faults?: readonly GatewayError[]
  /** The client would rather have an answer without its images and files than none. */
  readonly omitsMedia?: boolean
  /** What the door changed or left out, to be told with the answer. */
  readonly notes?: readonly Note[]
}
