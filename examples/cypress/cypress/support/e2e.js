import { inOwnWorld } from './understudy.js'

inOwnWorld()
