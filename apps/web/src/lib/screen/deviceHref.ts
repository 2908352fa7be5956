/** The right that opens the data page of a device. */
export const deviceDataRight = "4:read";

export const deviceHref = (id: number): string => `#/cloud/devices/data/${String(id)}`;
