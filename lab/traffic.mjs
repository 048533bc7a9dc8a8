// Measures `verify traffic.har`: exchanges per second and memory for a large HAR file. [--megabytes N]
import { runTypeScript } from './lib/run-typescript.mjs'

await runTypeScript('lab/traffic/measure-traffic.run.ts')
