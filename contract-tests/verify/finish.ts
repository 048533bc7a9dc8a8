import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { cannotWrite, writeUserFile } from '../../src/files/write-file.ts'
import { messageOf } from '../../src/shared/built-ins.ts'
import { noSuch } from '../../src/shared/suggest.ts'
import { fileReports } from '../reports/index.ts'
import { exitCodeOf, type Report, scriptName, summarize } from '../reports/report.ts'
import { isReportName, reportNames } from '../reports/report-names.ts'

/** 0: all rules passed or match the baseline. 1: deviations. 2: the run could not check all rules. */
export interface Verified {
  readonly report: Report
  readonly exitCode: 0 | 1 | 2
}

/**
 * Rejects invalid reports before the run.
 *
 * @throws if a report has an unknown name, or an unwritable file.
 */
export function checkReports(reports: Readonly<Record<string, string>> = {}): void {
  const unknown = Object.keys(reports).find((name) => !isReportName(name))
  if (unknown !== undefined) {
    throw new Error(noSuch('report', unknown, reportNames))
  }
  const taken = new Map<string, string>()
  for (const [name, file] of Object.entries(reports)) {
    const path = realPathOf(file)
    const other = taken.get(path)
    // The later report would replace the earlier one. A pipe accepts both.
    if (other !== undefined && (!existsSync(path) || statSync(path).isFile()))
      throw new Error(`Expected a file for each report; found one for ${other} and ${name}: ${file}.`)
    taken.set(path, name)
    checkWritable(file, name)
  }
}

/** The path of a file behind all links; the file may not exist before the first write. */
function realPathOf(file: string): string {
  const path = resolve(file)
  try {
    return realpathSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || path === dirname(path)) return path
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
    return isLink
      ? realPathOf(resolve(dirname(path), readlinkSync(path)))
      : join(realPathOf(dirname(path)), basename(path))
  }
}

function checkWritable(file: string, report: string): void {
  try {
    const path = resolve(file)
    if (existsSync(path) && statSync(path).isDirectory())
      throw Object.assign(new Error('is a folder'), { code: 'EISDIR' })
    accessSync(existsSync(path) ? path : dirname(path), constants.W_OK)
  } catch (error) {
    throw cannotWrite(`the report ${report} to ${file}`, error)
  }
}

/** Writes a script for each finding into a folder. */
function writeScripts(report: Report, folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const [index, { first }] of summarize(report).groups.entries())
    writeUserFile(join(folder, scriptName(first, index)), first.evidence.reproduction)
}

/** Writes the reports; returns the reasons for failed writes, which do not affect the others. */
export function writeReports(report: Report, reports: Readonly<Record<string, string>> = {}): string[] {
  return Object.entries(reports).flatMap(([name, file]) => {
    try {
      if (isReportName(name)) writeUserFile(file, fileReports[name](report))
      return []
    } catch (error) {
      return [messageOf(error)]
    }
  })
}

/** Writes the reports and returns the exit code. */
export async function finish(
  report: Report,
  reports: Readonly<Record<string, string>> = {},
  reproductions?: string,
): Promise<Verified> {
  const unwritten = writeReports(report, reports)
  try {
    if (reproductions !== undefined) writeScripts(report, reproductions)
  } catch (error) {
    unwritten.push(messageOf(error))
  }
  const exitCode = exitCodeOf(report)
  return {
    report: { ...report, notes: [...report.notes, ...unwritten] },
    exitCode: unwritten.length > 0 && exitCode === 0 ? 2 : exitCode,
  }
}
