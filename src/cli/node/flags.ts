import { setFlagsFromString } from 'node:v8'

/** Sets a flag of V8 by its name, before anything hot is compiled. One that Node was given on the command line stands. */
export function setFlag(name: string, flag: string): void {
  if (!isGiven(name)) setFlagsFromString(flag)
}

export function isGiven(name: string): boolean {
  return process.execArgv.some((given) => given.replaceAll('_', '-').includes(name))
}
