import { reuseCompiled } from '../compiled.ts'

// Before all else is loaded; what the supervisor says meanwhile waits.
reuseCompiled()
await import('./serving.ts')
