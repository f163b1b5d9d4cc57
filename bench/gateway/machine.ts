import { cpus, loadavg, totalmem } from 'node:os'

/** Where figures come from: without it they mean nothing. */
export interface Machine {
  readonly processor: string
  readonly cores: number
  readonly memoryGigabytes: number
  readonly platform: string
  readonly node: string
  readonly date: string
  /** Processes that wanted a core when the run began. */
  readonly load: number
}

export function describeMachine(): Machine {
  const [first] = cpus()
  return {
    processor: first?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform} ${process.arch}`,
    node: process.versions.node,
    date: new Date().toISOString().slice(0, 10),
    load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  }
}
