import { lookAtProject } from '../project/project.ts'
import { addressChecks, readAddress } from './address-checks.ts'
import { type NamedFinding, runChecks } from './finding.ts'
import { examine } from './probe.ts'
import { type ProjectSubject, projectChecks } from './project-checks.ts'
import { listFiles } from './project-files.ts'

/**
 * Checks a project and returns the findings.
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

/** Checks whether a mock server answers at an address, and which parts of a request reach it. */
export async function diagnoseAddress(
  given: string,
  { server, adminToken }: { readonly server?: string | undefined; readonly adminToken?: string | undefined },
): Promise<NamedFinding[]> {
  const read = readAddress(given)
  if ('state' in read) return [{ check: 'answers', ...read }]
  const examined = await examine({ url: read.url, server: server ?? read.url, adminToken })
  return runChecks(addressChecks, examined)
}
