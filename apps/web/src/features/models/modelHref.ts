/** Address of the data sheet of a model. */
export const modelHref = (id: number): string => `#/cloud/devices/models/${String(id)}`;
