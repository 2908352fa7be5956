/** An id that cannot be mistaken for another kind of id. Numbers become ids where Zod has just parsed them. */
export type Branded<Name extends string> = number & { readonly __id: Name };

export type CompanyId = Branded<"company">;
export type UserId = Branded<"user">;
export type DeviceId = Branded<"device">;
export type GatewayId = Branded<"gateway">;
export type BaseStationId = Branded<"baseStation">;
export type AccountingPointId = Branded<"accountingPoint">;
