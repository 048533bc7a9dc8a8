import { HttpClient } from '@angular/common/http'
import { Component, inject, signal } from '@angular/core'

interface Pipeline {
  readonly uuid: string
  readonly name: string
}

@Component({
  selector: 'app-root',
  template: `<ul>
    @for (pipeline of pipelines(); track pipeline.uuid) {
      <li>{{ pipeline.name }}</li>
    }
  </ul>`,
})
export class App {
  readonly pipelines = signal<readonly Pipeline[]>([])

  constructor() {
    const http = inject(HttpClient)
    http
      .get<{ pipelines: Pipeline[] }>('/api/pipelines')
      .subscribe(({ pipelines }) => this.pipelines.set(pipelines))
  }
}
