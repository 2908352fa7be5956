/**
 * One value of a group of 16-bit words. Value = (raw - offset) / divisor; `words: 2` joins two words, the low
 * one first.
 */
export interface WordRule {
  readonly name: string;
  readonly unit: string;
  readonly offset: number;
  readonly divisor: number;
  readonly words: 1 | 2;
}

const word = (name: string, unit = "", offset = 0, divisor = 1): WordRule => ({
  name,
  unit,
  offset,
  divisor,
  words: 1,
});
/** Signed by an offset of 32768. */
const signed = (name: string, unit: string, divisor: number) => word(name, unit, 32_768, divisor);
const long = (name: string, unit = "", offset = 0, divisor = 1): WordRule => ({
  ...word(name, unit, offset, divisor),
  words: 2,
});
/** Infrared thermometer: tenths of a degree above -100 °C. */
const infrared = (name: string) => word(name, "°C", 1_000, 10);
/** Ratio of a bridge in 24 bits around the middle, times the full scale. */
const ratio = (name: string, unit: string, fullScale: number) =>
  long(name, unit, 8_388_608, 8_388_608 / fullScale);
/** SHT of Sensirion: -45 to 130 °C and 0 to 100 % over the whole word. */
const climate = (temperature: string, humidity: string): WordRule[] => [
  word(temperature, "°C", (45 * 65_535) / 175, 65_535 / 175),
  word(humidity, "%", 0, 655.35),
];
/** The older SHT2x: -46.85 to 128.87 °C and -6 to 119 %. */
const olderClimate = (temperature: string, humidity: string): WordRule[] => [
  word(temperature, "°C", (46.85 * 65_536) / 175.72, 65_536 / 175.72),
  word(humidity, "%", (6 * 65_536) / 125, 65_536 / 125),
];
const pulseCounter = (prefix = ""): WordRule[] => [
  word(`${prefix}pulse_count`),
  word(`${prefix}pulse_interval`, "s"),
  long(`${prefix}cumulative_pulse_count`),
];
const skyTemperatures: WordRule[] = [
  signed("surface_temperature", "°C", 100),
  signed("air_temperature", "°C", 100),
  signed("air_humidity", "%", 100),
  signed("dew_point", "°C", 100),
  signed("angle", "°", 1),
  signed("sensor_temperature", "°C", 100),
];
const numbered = (count: number, of: (at: number) => readonly WordRule[]): WordRule[] =>
  Array.from({ length: count }, (_, at) => of(at)).flat();
/** Every product ends with the voltage of its battery. */
const battery: WordRule[] = [word("battery_voltage", "V", 0, 1_000)];
const withBattery = (...groups: readonly (readonly WordRule[])[]) => [...groups, battery];

/** The groups of words of each product in the order of their flags. */
export const decentlabProducts = {
  "dl-atm22": withBattery([
    signed("wind_speed", "m⋅s⁻¹", 100),
    signed("wind_direction", "°", 10),
    signed("maximum_wind_speed", "m⋅s⁻¹", 100),
    signed("air_temperature", "°C", 10),
    signed("x_orientation_angle", "°", 10),
    signed("y_orientation_angle", "°", 10),
    signed("north_wind_speed", "m⋅s⁻¹", 100),
    signed("east_wind_speed", "m⋅s⁻¹", 100),
  ]),
  "dl-ctd10b": withBattery([
    signed("water_depth", "mm", 1),
    signed("temperature", "°C", 10),
    word("electrical_conductivity", "µS⋅cm⁻¹", 0, 0.5),
    word("freezing_flag"),
  ]),
  "dl-cws": withBattery(skyTemperatures),
  "dl-cws2": withBattery(
    climate("air_temperature_radiation_shield", "air_humidity_radiation_shield"),
    skyTemperatures,
  ),
  "dl-dlr2-002": withBattery(pulseCounter()),
  "dl-dlr2-003": withBattery([word("input")]),
  "dl-dlr2-005": withBattery([ratio("voltage", "V", 3)]),
  "dl-dlr2-006": withBattery([ratio("potentiometer_position", "", 1)]),
  "dl-dlr2-010": withBattery(pulseCounter("ch0_"), pulseCounter("ch1_")),
  "dl-dlr2-011": withBattery([word("ch0_input")], [word("ch1_input")]),
  "dl-ds18": withBattery([signed("temperature", "°C", 16)]),
  "dl-gmm": withBattery([
    signed("photosynthetically_active_radiation", "µmol⋅m⁻²⋅s⁻¹", 10),
    signed("air_temperature", "°C", 100),
    signed("air_humidity", "%", 10),
    signed("co2_concentration", "ppm", 1),
    signed("atmospheric_pressure", "kPa", 100),
    signed("vapor_pressure_deficit", "kPa", 100),
    signed("dew_point", "°C", 100),
  ]),
  "dl-ifd": withBattery([word("fruit_size", "mm", 0, 100)]),
  "dl-ilt": withBattery([signed("leaf_temperature", "°C", 100)]),
  "dl-isd": withBattery([word("stem_size", "mm", 0, 1_000)]),
  "dl-itst": withBattery([infrared("temperature_target"), infrared("temperature_head")]),
  "dl-lid": withBattery([
    ...["average", "minimum", "maximum", "median", "10th_percentile", "25th_percentile"].map((name) =>
      word(`distance_${name}`, "mm"),
    ),
    ...["75th_percentile", "90th_percentile", "most_frequent_value"].map((name) =>
      word(`distance_${name}`, "mm"),
    ),
    word("number_of_samples"),
    word("total_acquisition_time", "ms", 0, 1.024),
  ]),
  "dl-lp8p": withBattery(
    olderClimate("air_temperature", "air_humidity"),
    [word("barometer_temperature", "°C", 5_000, 100), word("barometric_pressure", "Pa", 0, 0.5)],
    [
      signed("co2_concentration", "ppm", 1),
      signed("co2_concentration_lpf", "ppm", 1),
      signed("co2_sensor_temperature", "°C", 100),
      word("capacitor_voltage_1", "V", 0, 1_000),
      word("capacitor_voltage_2", "V", 0, 1_000),
      word("co2_sensor_status"),
      word("raw_ir_reading"),
      word("raw_ir_reading_lpf"),
    ],
  ),
  "dl-lpw": withBattery([ratio("potentiometer_position", "%", 100)]),
  "dl-lws": withBattery([ratio("leaf_wetness_index", "", 1)]),
  "dl-mes5": withBattery([
    word("status"),
    signed("temperature", "°C", 100),
    word("sludge_blanket", "%", 0, 100),
    word("suspended_solid", "g⋅L⁻¹", 0, 100),
    word("turbidity", "FAU", 0, 10),
  ]),
  "dl-ntu": withBattery([
    word("status"),
    signed("temperature", "°C", 100),
    word("turbidity_in_ntu", "NTU", 0, 10),
    word("turbidity_in_fnu", "FNU", 0, 10),
    word("turbidity_in_mg_l", "mg⋅L⁻¹", 0, 10),
  ]),
  "dl-optod": withBattery([
    word("status"),
    signed("temperature", "°C", 100),
    signed("oxygen_saturation", "%", 100),
    signed("oxygen_concentration", "mg⋅L⁻¹", 100),
    signed("oxygen_concentration_alt", "ppm", 100),
  ]),
  "dl-par": withBattery([signed("photosynthetically_active_radiation", "µmol⋅m⁻²⋅s⁻¹", 32_768 / 15_000)]),
  "dl-pheht": withBattery([
    word("status"),
    signed("temperature", "°C", 100),
    signed("ph", "", 100),
    signed("redox", "mV", 10),
    signed("ph_mv", "mV", 10),
  ]),
  "dl-pr36": withBattery([signed("pressure", "bar", 8_192), signed("temperature", "°C", 256)]),
  "dl-pr36ctd": withBattery([
    signed("pressure", "bar", 8_192),
    signed("temperature_electronics", "°C", 256),
    signed("temperature_pt1000", "°C", 256),
    signed("electrical_conductivity", "mS⋅cm⁻¹", 1_024),
  ]),
  "dl-pyr": withBattery([signed("total_solar_radiation", "W⋅m⁻²", 32_768 / 15_000)]),
  "dl-rad": withBattery([
    word("distance", "mm"),
    signed("temperature", "°C", 100),
    signed("reliability", "dB", 100),
    word("status"),
  ]),
  "dl-rhc": withBattery([
    long("sensor_id"),
    word("air_humidity", "%", 0, 100),
    signed("air_temperature", "°C", 100),
  ]),
  "dl-smtp": withBattery(
    numbered(8, (at) => [
      word(`soil_moisture_at_depth_${at}`, "", 2_500, 500),
      signed(`soil_temperature_at_depth_${at}`, "°C", 100),
    ]),
  ),
  "dl-tbrg": withBattery([
    word("precipitation", "mm", 0, 10),
    word("precipitation_interval", "s"),
    long("cumulative_precipitation", "mm", 0, 10),
  ]),
  "dl-tp": withBattery(numbered(16, (at) => [signed(`temperature_at_level_${at}`, "°C", 100)])),
  "dl-trs21": withBattery([word("water_potential", "kPa", 0, -10), signed("soil_temperature", "°C", 10)]),
  "dl-wrm": withBattery(climate("air_temperature", "air_humidity"), [
    infrared("surface_temperature"),
    infrared("head_temperature"),
  ]),
} as const satisfies Record<string, readonly (readonly WordRule[])[]>;

export type DecentlabProduct = keyof typeof decentlabProducts;
