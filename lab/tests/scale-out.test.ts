import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'

interface Container {
  readonly name: string
  readonly args?: readonly string[]
  readonly resources: { readonly limits: Readonly<Record<string, string>> }
  readonly securityContext: Readonly<Record<string, unknown>>
  readonly readinessProbe: { readonly httpGet?: { readonly path: string } }
}

interface KubernetesManifest {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly data?: Readonly<Record<string, string>>
  readonly spec: {
    readonly replicas?: number
    readonly selector?: Readonly<Record<string, string>>
    readonly template?: {
      readonly spec: {
        readonly securityContext: Readonly<Record<string, unknown>>
        readonly containers: readonly Container[]
      }
    }
  }
}

const folder = join(import.meta.dirname, '../../docs/scale-out')
const configuration = readFileSync(join(folder, 'nginx.conf'), 'utf8')
const documents = parseAllDocuments(readFileSync(join(folder, 'kubernetes.yaml'), 'utf8'))
const manifests = documents.map((document) => document.toJS() as KubernetesManifest)
const find = (kind: string, name: string) =>
  manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name)!

/** A configuration without its comments, its servers, and the lines that are empty then. */
function withoutServers(text: string): string {
  return text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/^\s*server \S+ max_fails=0;\n/gm, '')
    .trim()
}

describe('the Kubernetes manifest', () => {
  it('is YAML without errors or warnings', () => {
    expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([])
  })

  it('gives nginx the documented configuration, and each replica a Service that it names', () => {
    const inCluster = find('ConfigMap', 'understudy-balancer').data!['nginx.conf']!
    const servers = [...inCluster.matchAll(/server (\S+):6789 max_fails=0;/g)].map(([, name]) => name!)
    const { replicas } = find('StatefulSet', 'understudy').spec

    expect(withoutServers(inCluster)).toBe(withoutServers(configuration))
    expect(servers).toEqual(Array.from({ length: replicas! }, (_, index) => `understudy-${index}`))
    for (const name of servers) {
      expect(find('Service', name).spec.selector).toEqual({ 'statefulset.kubernetes.io/pod-name': name })
    }
  })

  it('restricts the writes, privileges and memory of each container', () => {
    const pods = manifests.flatMap(({ spec }) => spec?.template?.spec ?? [])

    expect(pods).toHaveLength(2)
    for (const { securityContext, containers } of pods) {
      expect(securityContext).toMatchObject({ runAsNonRoot: true })
      for (const { securityContext, resources } of containers) {
        expect(resources.limits).toHaveProperty('memory')
        expect(securityContext).toMatchObject({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
      }
    }
  })

  it('probes an address that other machines can reach', () => {
    const [container] = find('StatefulSet', 'understudy').spec.template!.spec.containers

    expect(container!.readinessProbe.httpGet?.path).toBe('/')
  })
})
