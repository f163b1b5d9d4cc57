import { env } from 'node:process'
import fc from 'fast-check'

// The same tree gives the same result: a random failure would stop a change that did not cause it.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(env['DRAGOMAN_LAW_SEED'] ?? 20_260_823) })
