import { lookAtProject } from '../project/project.ts'
import { addressChecks, readAddress } from './address-checks.ts'
import { type NamedFinding, runChecks } from './finding.ts'
import { examine } from './probe.ts'
import { type ProjectSubject, projectChecks } from './project-checks.ts'
import { listFiles } from './project-files.ts'

/**
 * Looks at a project, and says of each thing whether it is as it should be.
 *
 * @throws UnderstudyError where there is no project.
 */
export async function diagnoseProject(
  folder: string,
  given: Omit<ProjectSubject, 'project' | 'files'>,
): Promise<NamedFinding[]> {
  const project = await lookAtProject(folder)
  return runChecks(projectChecks, { ...given, project, files: await listFiles(folder) })
}

/** Looks whether an understudy is behind an address, and what of requests arrives there. */
export async function diagnoseAddress(
  given: string,
  { server, adminToken }: { readonly server?: string | undefined; readonly adminToken?: string | undefined },
): Promise<NamedFinding[]> {
  const read = readAddress(given)
  if ('state' in read) return [{ check: 'answers', ...read }]
  const examined = await examine({ url: read.url, server: server ?? read.url, adminToken })
  return runChecks(addressChecks, examined)
}
