import { defineModel } from "../../model.ts";

/**
 * Data concentrator with Ethernet and RS-485, used as a converter: the platform opens its transparent channel.
 * Its own protocol is not implemented; login and password are stored for it.
 */
export const mercury250 = defineModel({
  kind: "gateway",
  id: 621,
  brand: "Incotex",
  title: "Mercury 250",
  interfaces: ["ethernet_uspd", "Ethernet", "RS_485"],
  connection: "tcp_client",
});
