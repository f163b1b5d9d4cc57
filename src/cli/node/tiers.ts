import { setFlag } from './flags.ts'

/** How often a function is called before it is compiled: as often as V8 would wait with the rough way. */
const calls = 400

/**
 * V8 compiles what is hot twice: roughly after 400 calls (Maglev), well after 3,000 more (TurboFan). Most of what a gateway does
 * happens once for each request, so it comes to the second late. Compiled once, and well, it gets as fast as it will be after
 * 5,000 requests instead of 15,000, is a tenth faster then, and holds less memory (`bench/gateway`: short answers; memory). The
 * first thousand requests cost more (decision 42).
 */
export function compileOnce(): void {
  setFlag('maglev', '--no-maglev')
  setFlag('invocation-count-for-turbofan', `--invocation-count-for-turbofan=${calls}`)
}
