import { at162Radio } from "./models/apator/at162.ts";
import { at08Radio } from "./models/apator/at08.ts";
import { izarRadio } from "./models/diehl/izar.ts";
import { techemRadio3Water } from "./models/techem/radio3.ts";
import { techemCompactVHeat } from "./models/techem/compactV.ts";
import { techemVario451Heat } from "./models/techem/vario451.ts";
import { techemFhkvDataIii } from "./models/techem/fhkvDataIii.ts";
import { qWaterRadio } from "./models/qundis/qWater.ts";
import { qHeatRadio } from "./models/qundis/qHeat.ts";
import { qCaloricRadio } from "./models/qundis/qCaloric.ts";
import { hydrodigitRadio } from "./models/bmeters/hydrodigit.ts";
import { gwfRadioWater } from "./models/gwf/radioWater.ts";
import { bfw240Radio } from "./models/bfw/radio240.ts";
import type { BaseStationModel, GatewayModel, MeterModel, Model } from "./model.ts";
import { b23 } from "./models/abb/b23.ts";
import { a43, b21, b24 } from "./models/abb/family.ts";
import { els61t } from "./models/cinterion/els61t.ts";
import { cf50 } from "./models/allmess/cf50.ts";
import { elf2 } from "./models/apator/elf2.ts";
import { em24Ethernet } from "./models/carlo-gavazzi/em24Ethernet.ts";
import { em111, em340 } from "./models/carlo-gavazzi/em340.ts";
import { ddsu666, dtsu666 } from "./models/chint/dtsu666.ts";
import { cvmMini } from "./models/circutor/cvmMini.ts";
import { decentlabDs18, decentlabRhc } from "./models/decentlab/climate.ts";
import { dlr2Gas, dlr2TwoInputs, dlr2Water } from "./models/decentlab/dlr2.ts";
import { aerius } from "./models/diehl/aerius.ts";
import { hydrus } from "./models/diehl/hydrus.ts";
import { hydrus2Radio } from "./models/diehl/hydrus2Radio.ts";
import { sharky775 } from "./models/diehl/sharky775.ts";
import { lps8n } from "./models/dragino/lps8.ts";
import { lht65n } from "./models/dragino/lht65n.ts";
import { sdm120 } from "./models/eastron/sdm120.ts";
import { sdm220 } from "./models/eastron/sdm220.ts";
import { sdm630 } from "./models/eastron/sdm630.ts";
import { sdm54, sdm72 } from "./models/eastron/sdm72.ts";
import { a1140, as1440 } from "./models/elster/alpha1140.ts";
import { falcon } from "./models/elster/falcon.ts";
import { tmpA } from "./models/elster/tmpA.ts";
import { ce102m, ce301, ce303 } from "./models/energomera/ce300.ts";
import { ce207, ce307, ce308 } from "./models/energomera/spodes.ts";
import { sensoStar2c } from "./models/engelmann/sensoStar2c.ts";
import { finder7m24, finder7m38 } from "./models/finder/m7.ts";
import { mtkCoder } from "./models/gwf/mtkCoder.ts";
import { elfinEw11, hf2211 } from "./models/hi-flying/elfin.ts";
import { aidonHan } from "./models/aidon/han.ts";
import { kaifaHan } from "./models/kaifa/han.ts";
import { kamstrupHan } from "./models/kamstrup/han.ts";
import { p1Reader } from "./models/homewizard/p1Meter.ts";
import { mercury230Art, mercury234Artm2, mercury236Art } from "./models/incotex/mercury230.ts";
import { mercury250 } from "./models/incotex/mercury250.ts";
import { mercury204Spodes, mercury234Spodes } from "./models/incotex/spodes.ts";
import { pro380 } from "./models/inepro/pro380.ts";
import { atm21 } from "./models/irz/atm21.ts";
import { atm31a, atm31b, atm41a } from "./models/irz/atm31.ts";
import { am550, am550Gmac } from "./models/iskraemeco/am550.ts";
import { me162, mt174 } from "./models/iskraemeco/me162.ts";
import { bmPlusM } from "./models/itron/bmPlusM.ts";
import { cfEcho2 } from "./models/itron/cfEcho2.ts";
import { cybleWater } from "./models/itron/cyble.ts";
import { cybleOms } from "./models/itron/cybleOms.ts";
import { umg96rme } from "./models/janitza/umg96rme.ts";
import { ma304 } from "./models/kaifa/ma304.ts";
import { multical403, multical603 } from "./models/kamstrup/multical.ts";
import { multical21Radio } from "./models/kamstrup/multical21Radio.ts";
import { multical302Radio } from "./models/kamstrup/multical302Radio.ts";
import { iFemtoCell, iStation } from "./models/kerlink/wirnet.ts";
import { e450 } from "./models/landis-gyr/e450.ts";
import { e650 } from "./models/landis-gyr/e650.ts";
import { t550 } from "./models/landis-gyr/t550.ts";
import { lansenTemperatureHumidity } from "./models/lansen/temperatureHumidity.ts";
import { dmg610 } from "./models/lovato/dmg610.ts";
import { ug65, ug67 } from "./models/milesight/baseStations.ts";
import { minocalC2 } from "./models/minol/minocalC2.ts";
import { mirtek12, mirtek32 } from "./models/mirtek/spodes.ts";
import { em300Sld, em300Th } from "./models/milesight/em300.ts";
import { nport5110 } from "./models/moxa/nport5110.ts";
import { nport5130, nport5150 } from "./models/moxa/nports.ts";
import { conduit } from "./models/multitech/conduit.ts";
import { nartis100, nartis300 } from "./models/nartis/spodes.ts";
import { dds238 } from "./models/hiking/dds238.ts";
import { pzem016 } from "./models/peacefair/pzem016.ts";
import { rak7268, rak7289 } from "./models/rak/wisGate.ts";
import { modularis } from "./models/ram/modularis.ts";
import { pw20, pw250 } from "./models/relay/levelConverters.ts";
import { padPulsM1 } from "./models/relay/padPulsM1.ts";
import { padPulsM2 } from "./models/relay/padPulsM2.ts";
import { pw60 } from "./models/relay/pw60.ts";
import { m1000, r1520 } from "./models/robustel/gateways.ts";
import { t210d } from "./models/sagemcom/t210d.ts";
import { iem3155 } from "./models/schneider/iem3155.ts";
import { iem3255, pm5320 } from "./models/schneider/pm5320.ts";
import { iperl } from "./models/sensus/iperl.ts";
import { polluStatE } from "./models/sensus/polluStatE.ts";
import { pac2200, pac3200 } from "./models/siemens/pac.ts";
import { p1DonglePro, slimmeLezer } from "./models/smartstuff/p1Dongle.ts";
import { supercal531 } from "./models/sontex/supercal531.ts";
import { nevaMt314, nevaMt324 } from "./models/taipit/nevaMt300.ts";
import { wrx708 } from "./models/teleofis/wrx708.ts";
import { rx608, wrx768, wrx768l } from "./models/teleofis/wrx768.ts";
import { trb142, trb142Server, trb145, trb145Server } from "./models/teltonika/trb.ts";
import { usrTcp232, usrW610 } from "./models/usr/tcp232.ts";
import { bs11, bs22 } from "./models/vega/baseStations.ts";
import { bs12 } from "./models/vega/bs12.ts";
import { si11Gas, si11Water } from "./models/vega/si11.ts";
import { wago879 } from "./models/wago/meter879.ts";
import { rs485ToEth } from "./models/waveshare/rs485ToEth.ts";
import { pulseDrop } from "./models/vutility/pulseDrop.ts";
import { md02 } from "./models/xy/md02.ts";
import { em4301 } from "./models/yobiiq/em4301.ts";
import { zennerWaterRadio } from "./models/zenner/waterRadio.ts";

/**
 * Every model of the catalogue; a new one is one file and one line here. Ids are stored in databases: never
 * change or reuse one. The models 2, 223, 224, 447, 551 and 552 have special rules in the specification; here
 * those are properties (`hasRawPayload` and others).
 */
export const models: readonly Model[] = [
  sdm630,
  sdm120,
  iem3155,
  em24Ethernet,
  b23,
  umg96rme,
  sdm72,
  sdm54,
  sdm220,
  pm5320,
  iem3255,
  b24,
  b21,
  a43,
  pac2200,
  pac3200,
  em340,
  em111,
  dtsu666,
  ddsu666,
  finder7m38,
  finder7m24,
  dmg610,
  pro380,
  wago879,
  cvmMini,
  dds238,
  pzem016,
  mercury230Art,
  mercury234Artm2,
  mercury236Art,
  ce301,
  ce303,
  ce102m,
  nevaMt314,
  nevaMt324,
  me162,
  mt174,
  a1140,
  as1440,
  p1Reader,
  multical403,
  multical603,
  t550,
  sharky775,
  si11Water,
  hydrus,
  falcon,
  bmPlusM,
  si11Gas,
  padPulsM1,
  md02,
  atm21,
  wrx708,
  nport5110,
  pw60,
  bs12,
  multical21Radio,
  multical302Radio,
  hydrus2Radio,
  iperl,
  cybleOms,
  zennerWaterRadio,
  elf2,
  aerius,
  lansenTemperatureHumidity,
  p1DonglePro,
  slimmeLezer,
  mercury234Spodes,
  mercury204Spodes,
  ce308,
  ce307,
  ce207,
  nartis300,
  nartis100,
  mirtek32,
  mirtek12,
  am550,
  am550Gmac,
  e650,
  e450,
  t210d,
  ma304,
  aidonHan,
  kaifaHan,
  kamstrupHan,
  sensoStar2c,
  cfEcho2,
  supercal531,
  polluStatE,
  minocalC2,
  cf50,
  cybleWater,
  modularis,
  mtkCoder,
  tmpA,
  padPulsM2,
  atm31a,
  atm31b,
  atm41a,
  wrx768,
  wrx768l,
  rx608,
  m1000,
  r1520,
  trb145,
  trb142,
  trb145Server,
  trb142Server,
  els61t,
  usrTcp232,
  usrW610,
  nport5130,
  nport5150,
  pw20,
  pw250,
  elfinEw11,
  hf2211,
  rs485ToEth,
  mercury250,
  bs11,
  bs22,
  iFemtoCell,
  iStation,
  ug65,
  ug67,
  rak7268,
  rak7289,
  conduit,
  lps8n,
  dlr2Water,
  dlr2Gas,
  dlr2TwoInputs,
  decentlabRhc,
  decentlabDs18,
  em300Th,
  em300Sld,
  lht65n,
  pulseDrop,
  em4301,
  at162Radio,
  at08Radio,
  izarRadio,
  techemRadio3Water,
  techemCompactVHeat,
  techemVario451Heat,
  techemFhkvDataIii,
  qWaterRadio,
  qHeatRadio,
  qCaloricRadio,
  hydrodigitRadio,
  gwfRadioWater,
  bfw240Radio,
];

const byId: ReadonlyMap<number, Model> = new Map(models.map((model) => [model.id, model]));

/** The model with this id; undefined when the catalogue has none. */
export function modelById(id: number): Model | undefined {
  return byId.get(id);
}

export const meterModels: readonly MeterModel[] = models.filter((model) => model.kind === "meter");
export const gatewayModels: readonly GatewayModel[] = models.filter((model) => model.kind === "gateway");
export const baseStationModels: readonly BaseStationModel[] = models.filter(
  (model) => model.kind === "base_station",
);
