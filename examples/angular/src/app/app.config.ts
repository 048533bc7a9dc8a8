import { provideHttpClient } from '@angular/common/http'
import { type ApplicationConfig, provideZonelessChangeDetection } from '@angular/core'

export const appConfig: ApplicationConfig = {
  providers: [provideZonelessChangeDetection(), provideHttpClient()],
}
