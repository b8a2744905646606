//! Events as AWS services and a shop send them: 0.3 to 8 KB, about 1.4 KB on average.

use std::fmt::Write as _;

use crate::random::Random;

pub(crate) const REGIONS: [&str; 8] =
    ["us-east-1", "us-east-1", "us-east-1", "us-west-2", "eu-west-1", "ap-southeast-2", "eu-central-1", "us-east-2"];
const WORDS: [&str; 16] = [
    "data", "logs", "media", "prod", "stage", "raw", "export", "backup", "assets", "invoice", "report", "upload",
    "archive", "audit", "cdn", "www",
];
pub(crate) const STATES: [&str; 6] = ["pending", "running", "shutting-down", "terminated", "stopping", "stopped"];
pub(crate) const ORDER_STATES: [&str; 8] =
    ["placed", "paid", "picking", "shipped", "delivered", "cancelled", "refunded", "returned"];
pub(crate) const FOLDERS: [&str; 8] =
    ["uploads", "incoming", "reports", "images", "exports", "tmp", "year=2026", "processed"];
pub(crate) const ENDINGS: [&str; 10] = ["jpg", "png", "csv", "parquet", "json", "json.gz", "pdf", "mp4", "log", "txt"];
pub(crate) const FINDINGS: [&str; 8] = [
    "UnauthorizedAccess:EC2/SSHBruteForce",
    "UnauthorizedAccess:IAMUser/ConsoleLoginSuccess.B",
    "Recon:EC2/PortProbeUnprotectedPort",
    "CryptoCurrency:EC2/BitcoinTool.B!DNS",
    "Trojan:EC2/DNSDataExfiltration",
    "Policy:IAMUser/RootCredentialUsage",
    "Discovery:S3/MaliciousIPCaller",
    "Exfiltration:S3/AnomalousBehavior",
];
pub(crate) const SERVICES: [(&str, &[&str]); 8] = [
    ("iam", &["CreateUser", "DeleteUser", "AttachUserPolicy", "PutRolePolicy", "CreateAccessKey", "CreateRole"]),
    ("ec2", &["RunInstances", "TerminateInstances", "StopInstances", "StartInstances", "DescribeInstances"]),
    ("s3", &["CreateBucket", "DeleteBucket", "PutBucketPolicy", "PutBucketAcl", "PutObject", "GetObject"]),
    ("kms", &["Decrypt", "Encrypt", "DisableKey", "ScheduleKeyDeletion", "GenerateDataKey"]),
    ("sts", &["AssumeRole", "GetCallerIdentity", "AssumeRoleWithSAML", "GetSessionToken"]),
    ("lambda", &["CreateFunction20150331", "UpdateFunctionCode20150331v2", "Invoke"]),
    ("dynamodb", &["CreateTable", "DeleteTable", "UpdateTable", "DescribeTable"]),
    ("ecs", &["RegisterTaskDefinition", "UpdateService", "RunTask", "StopTask"]),
];
const AGENTS: [&str; 4] = [
    "aws-cli/2.15.30 Python/3.11.8 Linux/6.1.79-99.164.amzn2023.x86_64 exe/x86_64.amzn.2023 prompt/off",
    "Boto3/1.34.69 md/Botocore#1.34.69 ua/2.0 os/linux#5.10.210 md/arch#x86_64 lang/python#3.11.6",
    "console.amazonaws.com",
    "Terraform/1.7.4 (+https://www.terraform.io) terraform-provider-aws/5.41.0",
];

/// The names that events and rules draw from.
#[derive(Debug)]
pub(crate) struct Pools {
    pub(crate) accounts: Vec<String>,
    pub(crate) instances: Vec<String>,
    pub(crate) buckets: Vec<String>,
    pub(crate) customers: Vec<String>,
    pub(crate) articles: Vec<String>,
    pub(crate) users: Vec<String>,
    pub(crate) roles: Vec<String>,
}

impl Pools {
    pub(crate) fn new() -> Pools {
        let mut random = Random::new(7);
        let mut pool = |count: usize, name: &dyn Fn(&mut Random, usize) -> String| -> Vec<String> {
            (0..count).map(|index| name(&mut random, index)).collect()
        };
        Pools {
            accounts: pool(2_000, &|random, _| format!("{:012}", random.between(100_000_000_000, 999_999_999_999))),
            instances: pool(30_000, &|random, _| format!("i-0{}", random.hex(16))),
            buckets: pool(20_000, &|random, at| format!("{}-{}-acme-{at}", random.pick(&WORDS), random.pick(&WORDS))),
            customers: pool(30_000, &|random, _| format!("c-{}", random.hex(10))),
            articles: pool(20_000, &|random, at| format!("SKU-{at:05}-{}", random.pick(&["A", "B", "C", "D"]))),
            users: pool(5_000, &|_, at| format!("user{at}")),
            roles: pool(3_000, &|random, at| format!("{}-{}-role{at}", random.pick(&WORDS), random.pick(&WORDS))),
        }
    }
}

struct Teller<'a> {
    random: Random,
    pools: &'a Pools,
}

/// The first `count` events, as compact JSON.
#[must_use]
pub fn events(count: usize) -> Vec<Vec<u8>> {
    let pools = Pools::new();
    let mut teller = Teller { random: Random::new(20_260_102), pools: &pools };
    (0..count).map(|_| teller.event().into_bytes()).collect()
}

/// The first `count` events of at most 400 bytes.
#[must_use]
pub fn small_events(count: usize) -> Vec<Vec<u8>> {
    let pools = Pools::new();
    let mut teller = Teller { random: Random::new(300), pools: &pools };
    (0..count).map(|_| teller.instance().into_bytes()).collect()
}

impl Teller<'_> {
    fn event(&mut self) -> String {
        match self.random.below(100) {
            0..25 => self.instance(),
            25..47 => self.object(),
            47..72 => self.call(),
            72..80 => self.finding(),
            _ => self.order(),
        }
    }

    fn time(&mut self) -> String {
        let random = &mut self.random;
        let (month, day, hour) = (random.between(1, 12), random.between(1, 28), random.below(24));
        format!("2026-{month:02}-{day:02}T{hour:02}:{:02}:{:02}Z", random.below(60), random.below(60))
    }

    fn address(&mut self) -> String {
        let first = self.random.pick(&["10", "10", "52", "54", "3", "198", "203"]);
        format!("{first}.{}.{}.{}", self.random.below(256), self.random.below(256), self.random.between(1, 254))
    }

    fn envelope(
        &mut self,
        kind: &str,
        source: &str,
        account: &str,
        region: &str,
        resources: &str,
        detail: &str,
    ) -> String {
        let id = format!(
            "{}-{}-{}-{}-{}",
            self.random.hex(8),
            self.random.hex(4),
            self.random.hex(4),
            self.random.hex(4),
            self.random.hex(12)
        );
        format!(
            "{{\"version\":\"0\",\"id\":\"{id}\",\"detail-type\":\"{kind}\",\"source\":\"{source}\",\
             \"account\":\"{account}\",\"time\":\"{}\",\"region\":\"{region}\",\"resources\":[{resources}],\
             \"detail\":{detail}}}",
            self.time()
        )
    }

    fn instance(&mut self) -> String {
        let (instance, account) =
            (self.random.common(&self.pools.instances).to_owned(), self.random.common(&self.pools.accounts).to_owned());
        let (region, state) = (self.random.pick(&REGIONS), self.random.pick(&STATES));
        let resource = format!("\"arn:aws:ec2:{region}:{account}:instance/{instance}\"");
        let detail = format!("{{\"instance-id\":\"{instance}\",\"state\":\"{state}\"}}");
        let kind = "EC2 Instance State-change Notification";
        self.envelope(kind, "aws.ec2", &account, region, &resource, &detail)
    }

    fn key(&mut self) -> String {
        let random = &mut self.random;
        let (folder, user) = (random.pick(&FOLDERS), random.common(&self.pools.users));
        let (year, month) = (random.between(2024, 2026), random.between(1, 12));
        format!("{folder}/{user}/{year}/{month:02}/{}.{}", random.hex(16), random.pick(&ENDINGS))
    }

    fn object(&mut self) -> String {
        let (bucket, account) =
            (self.random.common(&self.pools.buckets).to_owned(), self.random.common(&self.pools.accounts).to_owned());
        let kind = if self.random.percent(85) { "Object Created" } else { "Object Deleted" };
        let size = (2_f64).powf(4.0 + self.random.unit() * 24.0) as u64;
        let reason = self.random.pick(&["PutObject", "CompleteMultipartUpload", "CopyObject"]);
        let detail = format!(
            "{{\"version\":\"0\",\"bucket\":{{\"name\":\"{bucket}\"}},\"object\":{{\"key\":\"{}\",\"size\":{size},\
             \"etag\":\"{}\",\"version-id\":\"{}\",\"sequencer\":\"{}\"}},\"request-id\":\"{}\",\
             \"requester\":\"{account}\",\"source-ip-address\":\"{}\",\"reason\":\"{reason}\"}}",
            self.key(),
            self.random.hex(32),
            self.random.hex(24),
            self.random.hex(18),
            self.random.hex(16),
            self.address(),
        );
        let region = self.random.pick(&REGIONS);
        self.envelope(kind, "aws.s3", &account, region, &format!("\"arn:aws:s3:::{bucket}\""), &detail)
    }

    fn identity(&mut self, service: &str, account: &str) -> String {
        let (role, user) =
            (self.random.common(&self.pools.roles).to_owned(), self.random.common(&self.pools.users).to_owned());
        match self.random.below(11) {
            0 => format!("{{\"type\":\"AWSService\",\"invokedBy\":\"{service}.amazonaws.com\"}}"),
            1..4 => format!(
                "{{\"type\":\"IAMUser\",\"principalId\":\"AIDA{}\",\"arn\":\"arn:aws:iam::{account}:user/{user}\",\
                 \"accountId\":\"{account}\",\"accessKeyId\":\"AKIA{}\",\"userName\":\"{user}\"}}",
                self.random.hex(16),
                self.random.hex(16)
            ),
            at => {
                let (kind, id) = (if at == 4 { "Root" } else { "AssumedRole" }, self.random.hex(16));
                format!(
                    "{{\"type\":\"{kind}\",\"principalId\":\"AROA{id}:{user}\",\
                     \"arn\":\"arn:aws:sts::{account}:assumed-role/{role}/{user}\",\"accountId\":\"{account}\",\
                     \"accessKeyId\":\"ASIA{}\",\"sessionContext\":{{\"sessionIssuer\":{{\"type\":\"Role\",\
                     \"principalId\":\"AROA{id}\",\"arn\":\"arn:aws:iam::{account}:role/{role}\",\
                     \"accountId\":\"{account}\",\"userName\":\"{role}\"}},\"webIdFederationData\":{{}},\
                     \"attributes\":{{\"creationDate\":\"{}\",\"mfaAuthenticated\":\"false\"}}}}}}",
                    self.random.hex(16),
                    self.time()
                )
            }
        }
    }

    fn call(&mut self) -> String {
        let (service, operations) = self.random.pick(&SERVICES);
        let (operation, region) = (self.random.pick(operations), self.random.pick(&REGIONS));
        let account = self.random.common(&self.pools.accounts).to_owned();
        let mut detail = format!(
            "{{\"eventVersion\":\"1.09\",\"userIdentity\":{},\"eventTime\":\"{}\",\
             \"eventSource\":\"{service}.amazonaws.com\",\"eventName\":\"{operation}\",\"awsRegion\":\"{region}\",\
             \"sourceIPAddress\":\"{}\",\"userAgent\":\"{}\"",
            self.identity(service, &account),
            self.time(),
            self.address(),
            self.random.pick(&AGENTS)
        );
        if self.random.percent(12) {
            let code = self.random.pick(&["AccessDenied", "Client.UnauthorizedOperation", "ThrottlingException"]);
            let _ = write!(
                detail,
                ",\"errorCode\":\"{code}\",\"errorMessage\":\"User is not authorized to perform: {service}:{operation} \
                 because no identity-based policy allows the \\\"{operation}\\\" action\""
            );
        }
        let parameters = match service {
            "s3" => {
                let bucket = self.random.common(&self.pools.buckets).to_owned();
                format!("{{\"bucketName\":\"{bucket}\",\"Host\":\"s3.amazonaws.com\",\"key\":\"{}\"}}", self.key())
            }
            "ec2" => {
                let items: Vec<_> = (0..self.random.between(1, 4))
                    .map(|_| {
                        let instance = self.random.common(&self.pools.instances).to_owned();
                        format!(
                            "{{\"instanceId\":\"{instance}\",\"imageId\":\"ami-0{}\",\"minCount\":1}}",
                            self.random.hex(16)
                        )
                    })
                    .collect();
                format!(
                    "{{\"instancesSet\":{{\"items\":[{}]}},\"instanceType\":\"m6i.large\",\"monitoring\":\
                     {{\"enabled\":false}},\"clientToken\":\"{}\"}}",
                    items.join(","),
                    self.random.hex(32)
                )
            }
            _ => {
                let tags: Vec<_> = ["env", "team", "owner", "app"]
                    .iter()
                    .take(self.random.between(1, 4))
                    .map(|key| format!("{{\"key\":\"{key}\",\"value\":\"{}\"}}", self.random.pick(&WORDS)))
                    .collect();
                let role = self.random.common(&self.pools.roles).to_owned();
                format!("{{\"roleName\":\"{role}\",\"tags\":[{}]}}", tags.join(","))
            }
        };
        let _ = write!(detail, ",\"requestParameters\":{parameters},\"responseElements\":");
        if self.random.percent(40) {
            detail.push_str("null");
        } else {
            let attributes: Vec<_> = (0..self.random.below(40))
                .map(|at| {
                    let digits = self.random.between(4, 40);
                    format!("\"attr{at}\":\"{}\"", self.random.hex(digits))
                })
                .collect();
            let rows = self.random.pick(&["", "-", "-----", "------------"]).len();
            let rows: Vec<_> = (0..rows)
                .map(|at| {
                    format!(
                        "{{\"name\":\"field-{at}\",\"value\":\"{}\",\"updated\":\"{}\",\"flags\":{{\"encrypted\":true,\
                         \"version\":{at}}}}}",
                        self.random.hex(24),
                        self.time()
                    )
                })
                .collect();
            let _ = write!(
                detail,
                "{{\"requestId\":\"{}\",\"resource\":{{\"createDate\":\"{}\",\"status\":\"ACTIVE\",\"attributes\":{{{}}},\
                 \"metadata\":[{}]}}}}",
                self.random.hex(32),
                self.time(),
                attributes.join(","),
                rows.join(",")
            );
        }
        let _ = write!(
            detail,
            ",\"requestID\":\"{}\",\"eventID\":\"{}\",\"readOnly\":{},\"eventType\":\"AwsApiCall\",\
             \"managementEvent\":true,\"recipientAccountId\":\"{account}\",\"eventCategory\":\"Management\",\
             \"tlsDetails\":{{\"tlsVersion\":\"TLSv1.3\",\"cipherSuite\":\"TLS_AES_128_GCM_SHA256\"}}}}",
            self.random.hex(32),
            self.random.hex(32),
            operation.starts_with("Describe") || operation.starts_with("Get"),
        );
        let source = format!("aws.{service}");
        self.envelope("AWS API Call via CloudTrail", &source, &account, region, "", &detail)
    }

    fn finding(&mut self) -> String {
        let (kind, region) = (self.random.pick(&FINDINGS), self.random.pick(&REGIONS));
        let account = self.random.common(&self.pools.accounts).to_owned();
        let instance = self.random.common(&self.pools.instances).to_owned();
        let probes: Vec<_> = (0..self.random.between(1, 6))
            .map(|_| {
                format!(
                    "{{\"localPortDetails\":{{\"port\":{},\"portName\":\"SSH\"}},\"remoteIpDetails\":{{\"ipAddressV4\":\
                     \"{}\",\"country\":{{\"countryName\":\"Sweden\"}},\"city\":{{\"cityName\":\"{}\"}},\
                     \"geoLocation\":{{\"lat\":{:.4},\"lon\":{:.4}}}}}}}",
                    self.random.pick(&["22", "80", "443", "3389"]),
                    self.address(),
                    self.random.pick(&["Stockholm", "Berlin", "São Paulo", "Köln", "Malmö"]),
                    self.random.unit() * 120.0 - 60.0,
                    self.random.unit() * 360.0 - 180.0
                )
            })
            .collect();
        let detail = format!(
            "{{\"schemaVersion\":\"2.0\",\"accountId\":\"{account}\",\"region\":\"{region}\",\"id\":\"{}\",\
             \"type\":\"{kind}\",\"resource\":{{\"resourceType\":\"Instance\",\"instanceDetails\":{{\"instanceId\":\
             \"{instance}\",\"launchTime\":\"{}\",\"platform\":null,\"networkInterfaces\":[{{\"ipv6Addresses\":[],\
             \"privateIpAddress\":\"{}\",\"publicIp\":\"{}\"}}],\"tags\":[{{\"key\":\"Name\",\"value\":\"srv-{}\"}},\
             {{\"key\":\"env\",\"value\":\"{}\"}}]}}}},\"service\":{{\"serviceName\":\"guardduty\",\"action\":\
             {{\"actionType\":\"PORT_PROBE\",\"portProbeAction\":{{\"portProbeDetails\":[{}],\"blocked\":false}}}},\
             \"evidence\":null,\"archived\":false,\"count\":{}}},\"severity\":{},\"title\":\"Unprotected port on EC2 \
             instance {instance} is being probed.\",\"description\":\"EC2 instance is being probed \u{2014} review \
             \u{201c}security groups\u{201d}.\"}}",
            self.random.hex(32),
            self.time(),
            self.address(),
            self.address(),
            self.random.below(1_000),
            self.random.pick(&["prod", "dev", "stage"]),
            probes.join(","),
            self.random.between(1, 500),
            self.random.pick(&["2", "2.5", "4", "5", "5.3", "7", "8", "8.9"]),
        );
        self.envelope("GuardDuty Finding", "aws.guardduty", &account, region, "", &detail)
    }

    fn order(&mut self) -> String {
        let (account, customer) =
            (self.random.common(&self.pools.accounts).to_owned(), self.random.common(&self.pools.customers).to_owned());
        let (state, region) = (self.random.pick(&ORDER_STATES), self.random.pick(&REGIONS));
        let mut total = 0;
        let items: Vec<_> = (0..1 + self.random.below(6) * self.random.below(3))
            .map(|_| {
                let (quantity, cents) = (self.random.between(1, 9), self.random.between(100, 40_000));
                total += quantity * cents;
                format!(
                    "{{\"sku\":\"{}\",\"qty\":{quantity},\"price\":{}.{:02},\"category\":\"{}\"}}",
                    self.random.common(&self.pools.articles),
                    cents / 100,
                    cents % 100,
                    self.random.pick(&["books", "toys", "home", "garden", "auto", "food"])
                )
            })
            .collect();
        let mut detail = format!(
            "{{\"orderId\":\"ord-{}\",\"status\":\"{state}\",\"customer\":{{\"id\":\"{customer}\",\"tier\":\"{}\",\
             \"email\":\"{}.{}@mail.example.com\",\"address\":{{\"country\":\"{}\",\"zip\":\"{:05}\",\"city\":\"{}\"}}}},\
             \"total\":{}.{:02},\"currency\":\"{}\",\"items\":[{}],\"channel\":\"{}\",\"metadata\":{{\"traceId\":\"{}\",\
             \"schema\":\"order.v3\",\"retries\":{}}}",
            self.random.hex(12),
            self.random.pick(&["gold", "silver", "bronze", "none"]),
            self.random.pick(&WORDS),
            customer.get(2..8).unwrap_or_default(),
            self.random.pick(&["US", "DE", "GB", "FR", "JP", "BR"]),
            self.random.between(1_000, 99_999),
            self.random.pick(&["New York", "Berlin", "London", "Paris", "Tokyo", "São Paulo"]),
            total / 100,
            total % 100,
            self.random.pick(&["USD", "EUR", "GBP"]),
            items.join(","),
            self.random.pick(&["web", "ios", "android", "store"]),
            self.random.hex(32),
            self.random.below(4),
        );
        if self.random.percent(30) {
            let _ = write!(detail, ",\"coupon\":\"SAVE{}\"", self.random.pick(&["5", "10", "20"]));
        }
        if self.random.percent(20) {
            detail.push_str(",\"notes\":\"Please leave at \\\"front door\\\"\\nThanks!\"");
        }
        detail.push('}');
        let kind = format!("Order {state}");
        self.envelope(&kind, "com.example.orders", &account, region, "", &detail)
    }
}
