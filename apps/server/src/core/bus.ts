import type { CompanyId, DeviceId } from "@metrum/vocabulary";

/** Events within this process. Published after commit only. */
export interface Events {
  /** Rows of a device were stored: slots from `from` to `to`, epoch seconds, both inclusive. */
  readingsStored: {
    readonly companyId: number;
    readonly deviceId: DeviceId;
    readonly msgType: number;
    readonly from: number;
    readonly to: number;
  }[];
  /** Readings of these devices were quarantined; the devices had none in quarantine before. */
  quarantineBegan: { readonly companyId: number; readonly deviceId: DeviceId }[];
  /**
   * Rights, an account, a company or a session have changed: "user:7", "company:5", "session:3". Other
   * processes are notified by the database; published here so that the next request to this process already
   * sees the change.
   */
  accessChanged: string;
  /** Devices of a company were created, changed or removed by this process. */
  devicesChanged: { readonly companyId: number };
  /** Tasks, or single devices of them, have another state; without a device it is that of the whole task. */
  tasksChanged: readonly {
    readonly companyId: CompanyId;
    readonly taskId: number;
    readonly deviceId?: DeviceId;
    readonly statusId: number;
    /** Whose task has ended. */
    readonly userId?: number | undefined;
  }[];
  /** A poll of a device has ended, whatever its result. */
  pollEnded: { readonly companyId: number; readonly deviceId: DeviceId; readonly result: number };
}

export interface Bus {
  publish<Name extends keyof Events>(name: Name, event: Events[Name]): void;
  /** Returns the unsubscribe function. A listener that throws is reported and does not affect the others. */
  on<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): () => void;
}

export function createBus(onError: (error: unknown) => void): Bus {
  const listeners = new Map<keyof Events, Set<(event: never) => void>>();
  return {
    publish(name, event) {
      for (const listener of listeners.get(name) ?? []) {
        try {
          (listener as (given: typeof event) => void)(event);
        } catch (error) {
          onError(error);
        }
      }
    },
    on(name, listener) {
      const set = listeners.get(name) ?? new Set();
      listeners.set(name, set.add(listener));
      return () => set.delete(listener);
    },
  };
}
