/** Variables of the environment of aws-node. */
export interface VpcCniConfig {
  /** `WARM_ENI_TARGET`: so many interfaces whose addresses are all free are kept. Default 1. */
  readonly warmEniTarget?: number;
  /** `WARM_IP_TARGET`: so many free addresses are kept, in place of whole interfaces. */
  readonly warmIpTarget?: number;
  /** `MINIMUM_IP_TARGET`: so many addresses are there from the beginning. */
  readonly minimumIpTarget?: number;
  /** `MAX_ENI`: no more interfaces than this, whatever the type of the machine allows. */
  readonly maxEni?: number;
  /** `IP_COOLDOWN_PERIOD`, in seconds: how long an address rests after its pod has gone. Default 30. */
  readonly ipCooldownPeriod?: number;
}
