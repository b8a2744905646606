//! What AWS services send to the default bus: their sources, and the detail types of those that rules are most often about.
//! For completion only: the list is neither complete nor checked against AWS, and no finding depends on it.

/// The sources of AWS services.
pub(super) const SOURCES: &[&str] = &[
    "aws.acm",
    "aws.apigateway",
    "aws.appflow",
    "aws.athena",
    "aws.autoscaling",
    "aws.backup",
    "aws.batch",
    "aws.bedrock",
    "aws.cloudformation",
    "aws.cloudfront",
    "aws.cloudtrail",
    "aws.cloudwatch",
    "aws.codeartifact",
    "aws.codebuild",
    "aws.codecommit",
    "aws.codedeploy",
    "aws.codepipeline",
    "aws.config",
    "aws.connect",
    "aws.controltower",
    "aws.datasync",
    "aws.devops-guru",
    "aws.dms",
    "aws.drs",
    "aws.dynamodb",
    "aws.ec2",
    "aws.ecr",
    "aws.ecs",
    "aws.eks",
    "aws.elasticache",
    "aws.elasticbeanstalk",
    "aws.elasticfilesystem",
    "aws.elasticloadbalancing",
    "aws.emr",
    "aws.emr-containers",
    "aws.emr-serverless",
    "aws.events",
    "aws.fis",
    "aws.gamelift",
    "aws.glue",
    "aws.guardduty",
    "aws.health",
    "aws.iam",
    "aws.imagebuilder",
    "aws.inspector2",
    "aws.ivs",
    "aws.kms",
    "aws.lambda",
    "aws.macie",
    "aws.mediaconnect",
    "aws.mediaconvert",
    "aws.medialive",
    "aws.mediapackage",
    "aws.omics",
    "aws.organizations",
    "aws.rds",
    "aws.redshift",
    "aws.redshift-data",
    "aws.route53",
    "aws.s3",
    "aws.sagemaker",
    "aws.scheduler",
    "aws.schemas",
    "aws.secretsmanager",
    "aws.securityhub",
    "aws.servicecatalog",
    "aws.ses",
    "aws.signer",
    "aws.signin",
    "aws.sns",
    "aws.sqs",
    "aws.ssm",
    "aws.states",
    "aws.storagegateway",
    "aws.sts",
    "aws.support",
    "aws.tag",
    "aws.transcribe",
    "aws.transfer",
    "aws.trustedadvisor",
    "aws.workspaces",
];

const DETAIL_TYPES: &[(&str, &[&str])] = &[
    (
        "aws.autoscaling",
        &[
            "EC2 Instance Launch Successful",
            "EC2 Instance Launch Unsuccessful",
            "EC2 Instance Terminate Successful",
            "EC2 Instance Terminate Unsuccessful",
            "EC2 Instance-launch Lifecycle Action",
            "EC2 Instance-terminate Lifecycle Action",
        ],
    ),
    ("aws.batch", &["Batch Job State Change"]),
    ("aws.cloudformation", &["CloudFormation Stack Status Change", "CloudFormation Resource Status Change"]),
    ("aws.cloudwatch", &["CloudWatch Alarm State Change"]),
    ("aws.codebuild", &["CodeBuild Build State Change", "CodeBuild Build Phase Change"]),
    ("aws.codecommit", &["CodeCommit Repository State Change", "CodeCommit Pull Request State Change"]),
    ("aws.codedeploy", &["CodeDeploy Deployment State-change Notification"]),
    (
        "aws.codepipeline",
        &[
            "CodePipeline Pipeline Execution State Change",
            "CodePipeline Stage Execution State Change",
            "CodePipeline Action Execution State Change",
        ],
    ),
    ("aws.config", &["Config Rules Compliance Change", "Config Configuration Item Change"]),
    (
        "aws.ec2",
        &[
            "EC2 Instance State-change Notification",
            "EC2 Spot Instance Interruption Warning",
            "EC2 Instance Rebalance Recommendation",
            "EBS Volume Notification",
            "EBS Snapshot Notification",
        ],
    ),
    ("aws.ecr", &["ECR Image Action", "ECR Image Scan"]),
    (
        "aws.ecs",
        &[
            "ECS Task State Change",
            "ECS Container Instance State Change",
            "ECS Deployment State Change",
            "ECS Service Action",
        ],
    ),
    ("aws.events", &["Scheduled Event"]),
    ("aws.glue", &["Glue Job State Change", "Glue Crawler State Change", "Glue Data Catalog Table State Change"]),
    ("aws.guardduty", &["GuardDuty Finding"]),
    ("aws.health", &["AWS Health Event"]),
    ("aws.inspector2", &["Inspector2 Finding", "Inspector2 Scan"]),
    ("aws.macie", &["Macie Finding"]),
    ("aws.rds", &["RDS DB Instance Event", "RDS DB Cluster Event", "RDS DB Snapshot Event"]),
    (
        "aws.s3",
        &[
            "Object Created",
            "Object Deleted",
            "Object Restore Initiated",
            "Object Restore Completed",
            "Object Storage Class Changed",
            "Object Tags Added",
            "Object Tags Deleted",
            "Object ACL Updated",
        ],
    ),
    ("aws.scheduler", &["Scheduled Event"]),
    ("aws.securityhub", &["Security Hub Findings - Imported", "Security Hub Findings - Custom Action"]),
    ("aws.signin", &["AWS Console Sign In via CloudTrail"]),
    ("aws.ssm", &["Parameter Store Change", "EC2 Command Status-change Notification"]),
    ("aws.states", &["Step Functions Execution Status Change"]),
    ("aws.tag", &["Tag Change on Resource"]),
];

/// What CloudTrail reports of every service.
const API_CALL: &str = "AWS API Call via CloudTrail";

/// The detail types of these sources; of all sources, if there are none.
pub(super) fn detail_types(sources: &[String]) -> Vec<&'static str> {
    let wanted = |name: &str| sources.is_empty() || sources.iter().any(|source| source == name);
    let known = DETAIL_TYPES.iter().filter(|(name, _)| wanted(name)).flat_map(|(_, types)| types.iter().copied());
    let mut types: Vec<&str> = known.collect();
    if sources.is_empty() || sources.iter().any(|source| source.starts_with("aws.")) {
        types.push(API_CALL);
    }
    types
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_written_as_services_write_them() {
        let mut sorted = SOURCES.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted, SOURCES);
        let is_known = |(name, types): &(&str, &[&str])| SOURCES.contains(name) && !types.is_empty();
        assert!(DETAIL_TYPES.iter().all(is_known));
        assert_eq!(detail_types(&["aws.health".to_owned()]), ["AWS Health Event", API_CALL]);
        assert_eq!(detail_types(&["shop".to_owned()]), [""; 0]);
    }
}
