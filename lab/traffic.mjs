// Measures `verify traffic.har`: exchanges per second and memory for a large HAR file. [--megabytes N]
import { importTypeScript } from './lib/typescript.mjs'

await importTypeScript('lab/traffic/measure-traffic.run.ts')
