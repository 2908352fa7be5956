/** What is computed of readings, in `reading_due` and `device_dependent`. */
export const dueKinds = { derived: 0, points: 1, virtualDevices: 2, validation: 3 } as const;

export type DueKind = (typeof dueKinds)[keyof typeof dueKinds];
/** Derived rows depend on the readings of every device, the others on those of devices they name. */
export type DependantKind = Exclude<DueKind, typeof dueKinds.derived>;

export const dependantKinds = [1, 2, 3] as const satisfies readonly DependantKind[];

/** The last second that a range without an end reaches: the end of the year 9999. */
export const forever = 253_402_300_799;
