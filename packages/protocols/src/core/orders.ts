/**
 * An order as a simulated device has understood it. `clock`: seconds by which its clock moves. `set`: another
 * setting, by its name in the protocol.
 */
export type DeviceOrder =
  | { readonly kind: "power"; readonly isOn: boolean }
  | { readonly kind: "valve"; readonly isOpen: boolean }
  | { readonly kind: "output"; readonly number: number; readonly isOn: boolean; readonly seconds: number }
  /** kW; null: not limited. */
  | { readonly kind: "limit"; readonly limitKw: number | null }
  | { readonly kind: "clock"; readonly seconds: number }
  | { readonly kind: "set"; readonly name: string; readonly value: unknown }
  | { readonly kind: "restart" };

/**
 * How a simulated device treats an order: it obeys; it refuses, in the words of its protocol; or it
 * acknowledges and does nothing.
 */
export type Obedience = "obey" | "refuse" | "lie";

/** Called once for each order that a simulated device has received and could execute, before it acts. */
export type TakeOrder = (order: DeviceOrder) => Obedience;

/** The default: every order is obeyed. */
export const obeyAlways: TakeOrder = () => "obey";
