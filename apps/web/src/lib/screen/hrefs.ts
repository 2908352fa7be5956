/** The right that opens the data page of a device. */
export const deviceDataRight = "4:read";

export const deviceHref = (id: number): string => `#/cloud/devices/data/${String(id)}`;

export const gatewayHref = (id: number): string => `#/cloud/devices/gateway/${String(id)}`;

/** A node of the objects tree. */
export const nodeHref = (id: string): string => `#/cloud/objects?node=${id}`;

/** The card of an accounting point: its address names the device that measures it now, if there is one. */
export const pointCardHref = (pointId: number, deviceId: number | null): string =>
  `#/cloud/devices/accounting-point-card/${String(deviceId ?? 0)}?point_id=${String(pointId)}`;
