export { modbusRouter, type RouterMap } from "./router.ts";
export { functionNames } from "./pdu.ts";
export { crc16 } from "./crc.ts";
export { decodeModbus, type ModbusExchange } from "./decode.ts";
export { modbus, type ModbusOptions } from "./driver.ts";
export type { ModbusVariant } from "./frame.ts";
export type { RegisterRow, RegisterTable, RegisterType, WordOrder } from "./registers.ts";
