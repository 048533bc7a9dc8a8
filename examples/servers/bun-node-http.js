import { start } from './node-http.js'

const { port, understudy, close } = await start()
console.log(port)
process.once('SIGTERM', () => {
  understudy.dispose()
  close()
})
