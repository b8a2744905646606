# Paid orders go to accounting.
resource "aws_cloudwatch_event_rule" "paid" {
  name = "paid"
  event_pattern = jsonencode({
    source      = ["com.example.shop"]
    detail-type = "Order Paid" # one type
    detail = {
      express = ["true"]
    }
  })
}

resource "aws_sns_topic_subscription" "returns" {
  filter_policy_scope = "MessageBody"
  filter_policy       = <<EOF
{"return": {"days": [{"numeric": ["<", 30, ">", 0]}]}}
EOF
}
