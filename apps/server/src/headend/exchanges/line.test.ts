import { gatewayModels } from "@metrum/catalogue";
import { expect, test } from "vitest";
import { lineOfGateway, type GatewayPlace } from "./line.ts";

const idOf = (dialsIn: boolean): number => {
  const model = gatewayModels.find(({ connection }) => (connection === "dial_in") === dialsIn);
  if (!model) throw new Error("the catalogue has no such gateway");
  return model.id;
};
const place = (gatewayModelId: number): GatewayPlace => ({
  gatewayId: 5,
  gatewayModelId,
  host: null,
  port: null,
  serial: null,
  isEntered: false,
});

test("a gateway without an address has a line only if it dials in", () => {
  expect(lineOfGateway(place(idOf(true)))).toMatchObject({ key: "modem:5", tcp: undefined });
  expect(lineOfGateway(place(idOf(false)))).toBeUndefined();
});

test("an unknown model does not dial in", () => {
  expect(lineOfGateway(place(0))).toBeUndefined();
});
