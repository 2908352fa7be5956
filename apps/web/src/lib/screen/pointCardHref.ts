/** The card of an accounting point: its address names the device that measures it now, if there is one. */
export const pointCardHref = (pointId: number, deviceId: number | null): string =>
  `#/cloud/devices/accounting-point-card/${String(deviceId ?? 0)}?point_id=${String(pointId)}`;
