import { withProxy } from 'pipeline-understudy/proxy'
import { target } from './target.js'

export default withProxy(target, { port: 0, failOn: 'findings', out: 'traffic.har' })
