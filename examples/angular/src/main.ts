import { isDevMode } from '@angular/core'
import { bootstrapApplication } from '@angular/platform-browser'
import { App } from './app/app'
import { appConfig } from './app/app.config'

const ready = isDevMode()
  ? import('./mocks/browser').then(({ startMocking }) => startMocking())
  : Promise.resolve()
ready.then(() => bootstrapApplication(App, appConfig)).catch((error) => console.error(error))
