/** A branded id, distinct for each kind of record. Numbers become ids where Zod has parsed them. */
export type Branded<Name extends string> = number & { readonly __id: Name };

export type CompanyId = Branded<"company">;
export type UserId = Branded<"user">;
export type DeviceId = Branded<"device">;
export type GatewayId = Branded<"gateway">;
export type BaseStationId = Branded<"baseStation">;
export type ObjectId = Branded<"object">;
export type AccountingPointId = Branded<"accountingPoint">;
export type ConsumerId = Branded<"consumer">;
export type SupplierId = Branded<"supplier">;
export type TransformerId = Branded<"transformer">;
export type BalanceGroupId = Branded<"balanceGroup">;
