import type { DeviceTask } from "@metrum/contract/headend";
import { readManagement, type DeviceId, type Management } from "@metrum/vocabulary";
import type { Ctx, Db, Scope } from "#core";
import type { Request } from "./requests.ts";
import type { Cancelled, TaskChange } from "./taskStore.ts";

/** A request that holds a command. */
export interface CommandRequest extends Request {
  /** What the user proves again before a command with great consequences. */
  readonly proof: {
    readonly current_password?: string | undefined;
    readonly one_t_p?: string | undefined;
    readonly device_count?: number | undefined;
  };
  /** Devices that cannot carry it out are left out. */
  readonly skipsUnable?: boolean | undefined;
  /** The devices of its plan: others than these refuse it. */
  readonly checked?: string | undefined;
  /** After this many failures, commands that were not sent are cancelled. */
  readonly stopAfter?: number | undefined;
}

/** Tasks that change devices or read their state; the domain of commands provides them. */
export interface CommandTasks {
  readonly request: (ctx: Ctx, request: CommandRequest) => Promise<DeviceTask>;
  /**
   * Cancels the commands of the items that are about to be cancelled, in their transaction. Returns the changes of items
   * that have ended otherwise, as their device may have carried them out.
   */
  readonly cancel: (db: Db, scope: Scope, what: Cancelled, now: number) => Promise<TaskChange[]>;
  /** Devices of a task that failed and to which its command may be sent again. */
  readonly repeatable: (ctx: Ctx, task: DeviceTask) => Promise<readonly DeviceId[]>;
  /** The command of a task as it is sent now: a time that was to be set has passed. */
  readonly sentNow: (task: DeviceTask, now: number) => Management | undefined;
}

/** Whether a request is one for the domain of commands: a key changes the device or reads its state. */
export const holdsCommand = (management: Management | undefined): boolean =>
  readManagement(management ?? {}).commands.some(
    ({ command }) => command.changesDevice || command.answers === "state",
  );
