import type { z } from 'zod'
import type { Names, Reading, UpstreamFields } from '../config/values/fields.ts'
import type { GateMaker } from './gate.ts'
import type { StoreSettings } from './store.ts'
import type { Upstream } from './upstream.ts'
import type { Timeouts } from './wire/deadlines.ts'

export interface UpstreamLimits {
  /** The most an answer may say. */
  readonly answerBytes?: number
  /** The largest event of a stream, in characters. */
  readonly eventBytes?: number
}

/** What every upstream may need beside its own settings. */
export interface UpstreamContext {
  readonly timeouts: Timeouts & {
    /** How long a request may wait in line. */
    readonly queueMs?: number
  }
  readonly limits?: UpstreamLimits
  /** Where requests wait, when that is another process. */
  readonly gate?: GateMaker | undefined
  /** Where upstreams that keep conversations remember them. */
  readonly sessions?: StoreSettings
}

/** A kind of service, declared once: its name and fields in the config file, what they mean, how it is made. */
export interface Kind<Name extends string, Settings extends object> extends UpstreamFields {
  readonly kind: Name
  create(name: string, settings: Settings, context: UpstreamContext): Upstream
}

interface Declaration<Name extends string, Shape extends z.core.$ZodLooseShape, Settings extends object> {
  readonly kind: Name
  fields(names: Names): Shape
  toSettings(file: z.output<z.ZodObject<Shape>>, reading: Reading): Settings
  create(name: string, settings: Settings, context: UpstreamContext): Upstream
}

/** Sees to it that what stands in the file comes to the settings the kind is made by. */
export function defineKind<const Name extends string, Shape extends z.core.$ZodLooseShape, Settings extends object>(
  kind: Declaration<Name, Shape, Settings>,
): Kind<Name, Settings> {
  return kind as Kind<Name, Settings>
}
