import { createClock, type StopSignal } from '@keystamp/core/internal'
import { readStatus, sendRequest } from './journal/control-client.ts'
import type { ControlResult } from './journal/control-request.ts'
import { readFileJournal } from './journal/file-journal.ts'
import { MOVE_ID } from './leases/lease-documents.ts'
import { type LeaseOptions, openLeases } from './leases/open-leases.ts'
import { versionsWarning } from './status/versions-age.ts'
import type { OpenMoveStatus } from './open-move.ts'
import type { MoveCommand } from './phases/move-command.ts'

export interface RequestOptions {
  /** An abort takes the request back if the running process has not answered it. */
  readonly signal?: StopSignal
  /**
   * Called at each poll without an answer, with the number of the running process. Undefined: no process runs the move,
   * and the request waits for one.
   */
  readonly onWait?: (pid: string | undefined) => void
}

/** Asks the process that runs the move of a journal for a step, and waits for the result. */
export function requestStep(
  journal: string,
  command: MoveCommand,
  options: RequestOptions = {}
): Promise<ControlResult> {
  return sendRequest(journal, { command }, { ...options, clock: createClock(globalThis), nowMs: Date.now() })
}

/** Whether the folder has the journal of a move that has begun, or whether another process has begun it. */
export async function isMoveBegun(journal: string, leases?: LeaseOptions): Promise<boolean> {
  if ((await readFileJournal(journal)) !== undefined) return true
  if (leases === undefined) return false
  const { member, close } = await openLeases(leases)
  try {
    return (await member.store.read(MOVE_ID)) !== undefined
  } finally {
    await close()
  }
}

/** The last status of the move of a journal, and the number of the process that runs it, if there is one. */
export async function readMoveStatus(
  journal: string
): Promise<{ readonly status: OpenMoveStatus | undefined; readonly pid: string | undefined }> {
  const { status, pid } = await readStatus(journal)
  if (status === undefined) return { status, pid }
  // only a move writes this file; the warnings are those of now
  const written = { ...UNWRITTEN, ...status } as unknown as OpenMoveStatus
  const warning = versionsWarning(written.versions ?? undefined, written.phase, Date.now())
  const warnings = warning === undefined ? [] : [warning]
  // a process that has ended waits for nothing
  return { status: { ...written, warnings, ...(pid === undefined ? { waits: [] } : {}) }, pid }
}

/** Properties that the status of an earlier version does not have. */
const UNWRITTEN = {
  waits: [],
  versions: null,
  stepAt: null,
  failure: null,
  progress: {
    copied: 0,
    documents: null,
    documentsPerSecond: 0,
    secondsLeft: null,
    ruPerSecond: { from: 0, to: 0 },
    shareRuPerSecond: { from: null, to: null },
    comparison: null
  }
} as const satisfies Partial<Record<keyof OpenMoveStatus, unknown>>
