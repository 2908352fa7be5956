import { permittedBy } from "#ui/change";

/** Message shown instead of a call on the objects tree that the rights do not allow, by the id of the call. */
export const denials: Readonly<Record<string, string>> = {
  "object.export": "msg_101",
  "object.add": "msg_102",
  "object.update": "msg_103",
  "object.attributeSet": "msg_103",
  "object.remove": "msg_104",
  "object.tieDevices": "msg_105",
  "object.tieGateways": "msg_106",
  "object.tieBaseStations": "msg_107",
  "object.tieUser": "msg_108",
  "object.tieUsers": "msg_108",
  "object.untieUser": "msg_108",
  "object.updateSort": "msg_109",
  "sheetImport.upload": "msg_109",
};

/** Whether the session may make a call on objects; otherwise the user is told which right is missing. */
export const isPermitted = permittedBy(denials, "msg_103");
